import torch

w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    ((w - 5) ** 2).backward()
    with torch.no_grad():
        w -= 0.25 * w.grad  # or: w = w - 0.25 * w.grad raises AttributeError
    w.grad.zero_()  # or:
    # | w.grad = None raises RuntimeError with w = w - 0.25 * w.grad
    # | nothing raises RuntimeError with w = w - 0.25 * w.grad
    print(f"{w = }")
