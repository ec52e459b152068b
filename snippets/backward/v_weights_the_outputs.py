import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], 5 * x[1]])
v = torch.tensor([1.0, 10.0])
y.backward(v)
print(f"{x.grad = }")
