import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**3
y.backward(create_graph=True)
x.grad.backward()
print(f"{x.grad = }")
