import torch

z = torch.tensor([3 + 4j, 1j], requires_grad=True)
loss = (z.abs() ** 2).sum()
loss.backward()
print(f"{z.grad = }")

z.grad = None
(z * z.conj()).sum().real.backward()
print(f"{z.grad = }")
