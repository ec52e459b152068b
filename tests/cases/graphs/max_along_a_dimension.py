import torch

x = torch.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
values, indices = x.max(dim=1)
z = values.sum()
z.backward()
