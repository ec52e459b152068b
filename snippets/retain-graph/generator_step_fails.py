# raises: RuntimeError
import torch

g = torch.tensor(2.0, requires_grad=True)
d = torch.tensor(3.0, requires_grad=True)
noise = torch.tensor(5.0)
fake = g * noise
(d * fake).backward()
print(f"{d.grad = }")
print(f"{g.grad = }")
(d * fake).backward()
