import torch

z = torch.tensor(1.25, requires_grad=True)
codes = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
e = codes[(z - codes).abs().argmin()]
print(f"{torch.autograd.grad(3 * e, z, allow_unused=True) = }")

e = codes[(z - codes).abs().argmin()]
zq = z + (e - z).detach()
print(f"{zq = }")
loss = 3 * zq
loss = loss + (z.detach() - e) ** 2
loss = loss + 0.25 * (z - e.detach()) ** 2
loss.backward()
print(f"{z.grad = }")
print(f"{codes.grad = }")
