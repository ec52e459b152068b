import torch
from torch.distributions import Normal

torch.manual_seed(0)
mean = torch.tensor(1.0, requires_grad=True)
normal = Normal(mean, 1.0)
x = normal.sample()  # or: normal.rsample()
normal.log_prob(x).backward()
print(f"{x.requires_grad = }")
print(f"{mean.grad = }")
