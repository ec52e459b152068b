import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
y.retain_grad()
z = y**2
z.backward()
print(f"{y.grad = }")
try:
    z.backward()
    holds = True
except RuntimeError as error:
    print(f"{type(error) = }")
    holds = False
print(f"{holds = }")
