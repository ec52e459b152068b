import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
c = x.clone()  # or: x.detach() | x | x.detach().clone()
with torch.no_grad():
    c[0] = 9.0
print(f"{x = }")
(3 * x + c).sum().backward()
print(f"{x.grad = }")
