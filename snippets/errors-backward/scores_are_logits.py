import torch
from torch.distributions import Categorical

scores = torch.tensor([-1.0, 2.0])
try:
    Categorical(scores)
except ValueError as error:
    message = str(error)
    print("ValueError")
print(Categorical(logits=scores).probs)
