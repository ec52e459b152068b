import torch

x = torch.tensor(2.0, requires_grad=True)
x.volatile = True
print(f"{(x * 3).requires_grad = }")
with torch.no_grad():
    print(f"{(x * 3).requires_grad = }")
