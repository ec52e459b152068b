import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
z = torch.log(y)
del y
print(f"{z.grad_fn._saved_self = }")
z.backward()
print(f"{x.grad = }")
