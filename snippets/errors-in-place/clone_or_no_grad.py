import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.inference_mode():
    c = torch.tensor([3.0, 4.0])
(w * c.clone()).sum().backward()
print(f"{w.grad = }")

w.grad = None
with torch.no_grad():
    c = torch.tensor([3.0, 4.0])
(w * c).sum().backward()
print(f"{w.grad = }")
