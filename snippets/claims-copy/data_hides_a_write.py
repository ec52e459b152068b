import torch

x = torch.tensor(0.0, requires_grad=True)
y, z = x.exp(), x.exp()
shared = z.detach().data_ptr() == z.data.data_ptr()
y.detach().fill_(5)
z.data.fill_(5)
print(f"{shared = }")
print(f"{y = }, {y._version = }")
print(f"{z = }, {z._version = }")
z.backward()
print(f"{x.grad = }")
holds = [shared, y._version == z._version]
print(f"{holds = }")
