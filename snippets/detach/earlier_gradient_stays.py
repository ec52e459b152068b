import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(5.0, requires_grad=True)
(x * 3).backward()
print(f"{x.grad = }")
(w * x.detach()).backward()
print(f"{w.grad = }")
print(f"{x.grad = }")
