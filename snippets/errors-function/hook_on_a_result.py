import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.register_hook(lambda grad: print(f"{grad = }"))
(y * 5).backward()
print(f"{x.grad = }")
