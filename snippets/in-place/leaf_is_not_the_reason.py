# raises: RuntimeError
import torch

a = torch.ones(2)
a += 1
print(f"{a = }")
print(f"{a.is_leaf = }")

b = torch.ones(2, requires_grad=True)
with torch.no_grad():
    b += 1
print(f"{b = }")
print(f"{b.is_leaf = }")
b += 1
