import torch

a = torch.tensor(3.0, requires_grad=True)
b = 2 * a
c = b * b
d = b + 1
c.backward(retain_graph=True)
print(f"{a.grad = }")
d.backward()
print(f"{a.grad = }")
