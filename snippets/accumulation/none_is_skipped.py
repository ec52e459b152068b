import torch

w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5, weight_decay=0.5)

(w * 3).backward()
optimizer.zero_grad()
optimizer.step()
print(f"{w.grad = }, {w.item() = }")

(w * 3).backward()
optimizer.zero_grad(set_to_none=False)
optimizer.step()
print(f"{w.grad = }, {w.item() = }")
