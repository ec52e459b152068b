import torch

x = torch.tensor(2.0, requires_grad=True)
y = x.log()
print(f"{y.grad_fn._saved_self = }")
y += 1
print(f"{y._version = }")
print(f"{x._version = }")
y.backward()
print(f"{x.grad = }")
