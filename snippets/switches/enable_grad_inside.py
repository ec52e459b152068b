import torch

x = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    before = x * 2
    with torch.enable_grad():
        inside = x * 2
    after = x * 2
print(f"{before.requires_grad = }")
print(f"{inside.requires_grad = }")
print(f"{after.requires_grad = }")
