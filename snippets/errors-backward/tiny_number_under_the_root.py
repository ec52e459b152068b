import torch

for dtype in (torch.float32, torch.float16):
    x = torch.tensor([0.0, 4.0], dtype=dtype, requires_grad=True)
    (x + 1e-8).sqrt().sum().backward()
    print(f"{x.grad = }")

x = torch.tensor([0.0, 4.0], dtype=torch.float16, requires_grad=True)
eps = torch.finfo(x.dtype).eps
(x + eps).sqrt().sum().backward()
print(f"{x.grad = }")
