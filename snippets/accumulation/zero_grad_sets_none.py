import torch

w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
(w * 3).backward()
optimizer.zero_grad()
print(f"{w.grad = }")
