# raises: RuntimeError
import torch

a = torch.tensor(1.0)
a += 1
print(f"{a = }, {a.is_leaf = }")

b = torch.tensor(1.0, requires_grad=True)
with torch.no_grad():
    b += 1
print(f"{b = }, {b.is_leaf = }")

b += 1
