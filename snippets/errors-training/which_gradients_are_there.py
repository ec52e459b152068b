import torch

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
optimizer.zero_grad()
loss = (2 * w).sum()
scaler.scale(loss).backward()
groups = optimizer.param_groups
print([p.grad is not None for g in groups for p in g["params"]])
scaler.step(optimizer)
scaler.update()
print(f"{w = }")
