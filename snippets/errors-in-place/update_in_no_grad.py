import torch

w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
with torch.no_grad():
    w -= 0.25 * w.grad
print(f"{w = }, {w.is_leaf = }")
