import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
c = w.clone()
c[0] = 5.0
(c * c).sum().backward()
print(f"{w.grad = }")
