import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
y = w * x
w.data.fill_(100.0)
y.backward()
print(f"{y = }")
print(f"{w.grad = }")
print(f"{x.grad = }")
