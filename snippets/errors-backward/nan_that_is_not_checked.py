import torch
from torch.distributions import Normal

w = torch.tensor(float("nan"))
normal = Normal(w, 1.0, validate_args=False)
print(f"{normal.log_prob(torch.tensor(0.0)) = }")
