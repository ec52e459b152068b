import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = x.sum()
loss.backward()
print(f"{x.grad = }")

x.grad = None
y = x[:2] * 5
y.backward(torch.ones_like(y))
print(f"{x.grad = }")
