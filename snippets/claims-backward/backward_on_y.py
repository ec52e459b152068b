import torch

x = torch.tensor(2.0, requires_grad=True)
y = 3 * x
z = y**2
(dz_dy,) = torch.autograd.grad(z, y)

y.retain_grad()
y.backward()
print(f"{dz_dy = }")
print(f"{y.grad = }")
print(f"{x.grad = }")
holds = torch.equal(y.grad, dz_dy)
print(f"{holds = }")
