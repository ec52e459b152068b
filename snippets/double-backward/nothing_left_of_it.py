import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
(g,) = torch.autograd.grad(a * b, a, create_graph=True)
g.backward()
print(f"{g.item() = }  {a.grad = }  {b.grad = }")
