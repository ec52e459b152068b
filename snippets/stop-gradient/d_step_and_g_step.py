import torch

g = torch.tensor(2.0, requires_grad=True)
d = torch.tensor(3.0, requires_grad=True)
fake = g * torch.tensor(5.0)

d_loss = d * fake.detach()
d_loss.backward()
print(f"{g.grad = }, {d.grad = }")

g_loss = d * fake
g_loss.backward()
print(f"{g.grad = }, {d.grad = }")
