import torch

x = torch.tensor(2.0)
w = torch.tensor(3.0)
b = torch.tensor(5.0)
w.requires_grad_()  # or:
# | x.requires_grad_()
# | b.requires_grad_()
# | w.requires_grad_(); b.requires_grad_()
# | nothing raises RuntimeError
h = w * x
y = h + b
print(f"{h.requires_grad = }")
print(f"{y.requires_grad = }")
y.backward()
print(f"{x.grad = }")
print(f"{w.grad = }")
print(f"{b.grad = }")
