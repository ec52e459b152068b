import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
q, k = (x * 3).unbind()
q = q * 2
(q + k).backward()
print(f"{x.grad = }")
