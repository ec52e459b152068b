import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
d = x.detach()
with torch.no_grad():
    x[0] = 7
print(f"{x.is_leaf = }")
print(f"{x = }")
print(f"{d = }")
holds = x[0].item() != 7
print(f"{holds = }")
