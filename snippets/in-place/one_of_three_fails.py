# raises: RuntimeError
import torch

plain = torch.tensor(1.0)
w = torch.tensor(1.0, requires_grad=True)
result = w * 2
for t in (plain, result):
    t += 1
    print(f"{t = }, {t.is_leaf = }")

with torch.no_grad():
    w += 1
print(f"{w = }, {w.is_leaf = }")

w += 1
