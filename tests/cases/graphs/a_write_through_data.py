import torch

x = torch.tensor([3.0], requires_grad=True)
y = x.sigmoid()
c = y.data
c.zero_()
z = y.sum()
z.backward()
