# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
y.retain_grad()
x.retain_grad()
print(f"{y.retains_grad = }")
print(f"{x.retains_grad = }")
c = torch.tensor(5.0)
c.retain_grad()
