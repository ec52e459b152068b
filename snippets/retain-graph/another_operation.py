import torch

x = torch.tensor(2.0, requires_grad=True)
y = x + 3  # or:
# | -x
# | x * 3 raises RuntimeError
# | x**2 raises RuntimeError
# | x.exp() raises RuntimeError
y.backward()
y.backward()
print(f"{x.grad = }")
