import torch

image = torch.tensor([1.0, 2.0], requires_grad=True)
h = image * 3
h.retain_grad()
(h**2).sum().backward()
print(f"{h.grad = }")
print(f"{image.grad = }")
