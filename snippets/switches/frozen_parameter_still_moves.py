import torch

w = torch.tensor(10.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, weight_decay=0.5)
(w * 3).backward()
w.requires_grad_(False)
print(f"{w.grad = }")
optimizer.step()
print(f"{w = }")

optimizer.zero_grad(set_to_none=False)
print(f"{w.grad = }")
optimizer.step()
print(f"{w = }")

optimizer.zero_grad()
print(f"{w.grad = }")
optimizer.step()
print(f"{w = }")
