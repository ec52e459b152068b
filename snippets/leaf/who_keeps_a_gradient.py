import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y**2
y.retain_grad(); z.backward()  # or:
# | z.backward(); y.retain_grad()
# | z.backward(inputs=[y])
# | z.backward(inputs=[x, y])
# | z.backward(retain_graph=True)
print(f"{x.grad = }")
print(f"{y.grad = }")
