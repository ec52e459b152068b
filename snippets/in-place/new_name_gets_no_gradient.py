import torch

w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
w = w - 0.25 * w.grad
print(f"{w = }")
(w * w).backward()
print(f"{w.grad = }")
