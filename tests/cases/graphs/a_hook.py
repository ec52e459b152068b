import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.register_hook(lambda grad: grad * 10)
z = y * 2
z.backward()
