import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], 5 * x[1]])

middle = y.detach().requires_grad_()
loss = middle[0] + 10 * middle[1]
loss.backward()
print(f"{middle.grad = }")
print(f"{x.grad = }")

y.backward(middle.grad)
print(f"{x.grad = }")
