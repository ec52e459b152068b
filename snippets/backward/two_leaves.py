import torch

x = torch.tensor(5.0, requires_grad=True)
q = torch.tensor(3.0, requires_grad=True)
y = x**q
z = torch.log(y)
z.backward()
print(f"{x.grad = }")
print(f"{q.grad = }")
