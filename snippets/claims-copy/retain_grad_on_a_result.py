import torch

y = torch.tensor(3.0, requires_grad=True) * 2
y.retain_grad()
(y * 5).backward()
print(f"{y.grad = }")

errors = []
try:
    torch.tensor(4.0).retain_grad()
except RuntimeError as error:
    errors.append(error)
print(*errors)
holds = [y.grad is None, errors == []]
print(f"{holds = }")
