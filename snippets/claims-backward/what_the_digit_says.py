import torch

x = torch.tensor(2.0, requires_grad=True)
y = x
names = []
for _ in range(3):
    y = y**2
    names.append(y.grad_fn.name())
print(f"{names = }")
print(f"{(x**x).grad_fn.name() = }")
print(f"{(2**x).grad_fn.name() = }")
holds = len(set(names)) == len(names)
print(f"{holds = }")
