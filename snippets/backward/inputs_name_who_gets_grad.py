import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
y = w * x
z = y**2
z.backward(inputs=[y])
print(f"{x.grad = }")
print(f"{w.grad = }")
print(f"{y.grad = }")
