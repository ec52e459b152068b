import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
square = y.grad_fn
y += 1  # or: y *= 3 | y.exp_() | y.zero_() | y.detach().add_(1)
print(f"{y = }")
print(f"{y.grad_fn.next_functions[0][0] is square = }")
y.backward()
print(f"{x.grad = }")
