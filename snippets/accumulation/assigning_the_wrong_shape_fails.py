# raises: RuntimeError
import torch

x = torch.ones(3, requires_grad=True)
g = torch.tensor([10.0, 20.0, 30.0])
x.grad = g
(2 * x).sum().backward()
print(f"{x.grad = }")
print(f"{g = }")
x.grad = torch.ones(2)
