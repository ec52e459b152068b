import torch
from torch.nn.functional import dropout

torch.manual_seed(0)
x = torch.ones(2, 4)
print(torch.vmap(dropout, randomness="different")(x))
