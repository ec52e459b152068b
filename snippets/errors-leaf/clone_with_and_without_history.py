import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
values = x.detach().clone()
linked = x.clone()
print(f"{values = }")
print(f"{linked = }")
