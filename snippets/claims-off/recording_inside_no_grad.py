import torch

x = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    y = x * 3
    with torch.enable_grad():
        z = x * 3
print(f"{y.requires_grad = }")
print(f"{z.requires_grad = }")
z.backward()
print(f"{x.grad = }")
holds = x.grad is None
print(f"{holds = }")
