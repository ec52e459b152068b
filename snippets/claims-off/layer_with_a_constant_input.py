import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    h = x * 5
(w * h).backward()
print(f"{w.grad = }")
holds = [w.grad is None]

w.grad = None
(w * x.detach()).backward()
print(f"{w.grad = }")
print(f"{x.grad = }")
holds.append(w.grad is None)
print(f"{holds = }")
