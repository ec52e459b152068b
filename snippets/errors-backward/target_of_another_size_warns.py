import torch
from torch import nn

out = torch.tensor([[0.0], [1.0]], requires_grad=True)
y = torch.tensor([0.0, 1.0])
loss = nn.functional.mse_loss(out, y)
loss.backward()
print(f"{loss = }")
print(f"{out.grad = }")
