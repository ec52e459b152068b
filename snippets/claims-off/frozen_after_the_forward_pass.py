import torch

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0, requires_grad=True)
w.register_hook(lambda g: print(f"arrives at w: {g.item()}"))
y = w * x
w.requires_grad_(False)
y.backward()
print(f"{w.grad = }")
print(f"{x.grad = }")
holds = w.grad is not None
print(f"{holds = }")
