import torch

w = torch.tensor(2.0, requires_grad=True)
(w * 5).backward()
print(f"{w.grad = }")

y = w * 3
v = torch.tensor(4.0, requires_grad=True)
(v * y.detach()).backward()
print(f"{w.grad = }")
print(f"{v.grad = }")
holds = w.grad is None
print(f"{holds = }")
