import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
(w * w).backward()
with torch.no_grad():  # or: torch.enable_grad() raises RuntimeError with w -= 0.25 * w.grad
    w -= 0.25 * w.grad  # or: w = w - 0.25 * w.grad | w.data -= 0.25 * w.grad
print(f"{w = }")
print(f"{w is optimizer.param_groups[0]['params'][0] = }")
