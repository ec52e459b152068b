# raises: RuntimeError
import torch

x = torch.ones(3, requires_grad=True)
x.grad = torch.tensor([10.0, 20.0, 30.0])
(2 * x).sum().backward()
print(f"{x.grad = }")
x.grad = torch.ones(2)
