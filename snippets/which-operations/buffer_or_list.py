import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
buffer = torch.zeros(2)
for i in range(2):
    buffer[i] = x[i] ** 2
stacked = torch.stack([x[i] ** 2 for i in range(2)])
print(f"{torch.autograd.grad(buffer.sum(), x) = }")
print(f"{torch.autograd.grad(stacked.sum(), x) = }")
copied = torch.tensor([(x[i] ** 2).item() for i in range(2)])
print(f"{copied.requires_grad = }")
