import torch

out = torch.tensor([[0.0], [1.0]], requires_grad=True)
y = torch.tensor([0.0, 1.0])
print(f"{out - y = }")
print(f"{(out - y).square().mean() = }")
