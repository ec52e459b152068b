import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**4
for order in (1, 2, 3, 4):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    print(order, y)
