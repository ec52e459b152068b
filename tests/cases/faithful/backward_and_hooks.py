import torch

x = torch.ones(2, requires_grad=True)
x.register_hook(lambda g: print("hook", g))
y = (x * 3).sum()
y.backward()
print(x.grad, y)
