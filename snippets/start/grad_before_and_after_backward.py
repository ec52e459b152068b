import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
z = torch.log(y)
before = x.grad
z.backward()
after = x.grad
print(f"{before = }")
print(f"{after = }")
