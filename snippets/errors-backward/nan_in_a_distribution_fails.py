# raises: ValueError
import torch
from torch.distributions import Normal

w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
(w**2).sqrt().backward()
optimizer.step()
Normal(w, 1.0)
