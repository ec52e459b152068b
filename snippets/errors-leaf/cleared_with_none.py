import torch

w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    ((w - 5) ** 2).backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
    w.grad = None
    print(f"{w = }")
