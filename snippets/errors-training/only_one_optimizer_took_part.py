import torch

a = torch.ones(1, requires_grad=True)
b = torch.ones(1, requires_grad=True)
optimizers = [torch.optim.SGD([w], lr=0.1) for w in (a, b)]
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
loss = (2 * a).sum()
scaler.scale(loss).backward()
for optimizer in optimizers:
    groups = optimizer.param_groups
    if any(p.grad is not None for g in groups for p in g["params"]):
        scaler.step(optimizer)
scaler.update()
print(f"{a = }")
print(f"{b = }")
