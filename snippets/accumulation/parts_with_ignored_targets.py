import torch
from torch.nn.functional import cross_entropy

x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
target = torch.tensor([0, 1, 0, -100])
counted = (target != -100).sum()
w = torch.zeros(1, 2, requires_grad=True)
cross_entropy(x @ w, target).backward()
whole, w.grad = w.grad, None

parts = list(zip(x.chunk(2), target.chunk(2)))
for a, b in parts:
    (cross_entropy(a @ w, b) * len(a) / len(x)).backward()
by_rows, w.grad = w.grad, None

for a, b in parts:
    total = cross_entropy(a @ w, b, reduction="sum")
    (total / counted).backward()
by_counted = w.grad
print(f"{whole = }")
print(f"{by_rows = }")
print(f"{by_counted = }")
