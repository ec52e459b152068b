import torch
from torch import nn

out = torch.tensor([[0.0], [1.0]], requires_grad=True)
y = torch.tensor([0.0, 1.0])
print(f"{nn.functional.mse_loss(out, y.unsqueeze(1)) = }")
print(f"{nn.functional.mse_loss(out.squeeze(1), y) = }")
