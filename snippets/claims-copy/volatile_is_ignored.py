import torch

x = torch.tensor([1.0])
x.volatile = True
d = x.detach()
holds = d.volatile
print(f"{holds = }")
