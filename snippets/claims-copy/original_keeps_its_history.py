import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
d = y.detach()
print(f"{y.grad_fn.name() = }")
print(f"{d.grad_fn = }")
holds = [t.grad_fn is None for t in (d, y)]
print(f"{holds = }")
