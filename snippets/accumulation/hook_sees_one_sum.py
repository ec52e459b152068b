import torch

x = torch.tensor(3.0, requires_grad=True)
arrived = []
x.register_hook(lambda g: arrived.append(g.item()))
z = 2 * x + 5 * x
z.backward()
print(f"{arrived = }")
