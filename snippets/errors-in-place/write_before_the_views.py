import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y *= 2
q, k = y.unbind()
(q + k).backward()
print(f"{x.grad = }")
