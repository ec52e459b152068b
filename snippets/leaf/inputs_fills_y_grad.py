import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y**2
z.backward(inputs=[y])
print(f"{y.grad = }")
print(f"{x.grad = }")
