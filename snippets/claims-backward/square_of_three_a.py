import torch

a = torch.tensor(2.0, requires_grad=True)
b = 3 * a
c = b * b
d = b + 1
c.backward(retain_graph=True)
print(f"{a.grad = }")
holds = a.grad.item() == 12 * a.item()
d.backward()
print(f"{a.grad = }")
print(f"{holds = }")
