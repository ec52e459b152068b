import torch

w = torch.tensor(1.0, requires_grad=True)
handle = w.register_hook(lambda g: 2 * g)
(5 * w).backward()
handle.remove()
(5 * w).backward()
print(f"{w.grad = }")

w.grad = None
for step in range(3):
    with w.register_hook(lambda g: 2 * g):
        w.grad = None
        (5 * w).backward()
print(f"{w.grad = }")
