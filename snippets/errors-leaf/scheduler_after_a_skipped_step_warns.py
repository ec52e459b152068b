import torch

w = torch.ones(1, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
scaler = torch.amp.GradScaler("cpu")
with torch.autocast("cpu", dtype=torch.float16):
    h = torch.ones(1, 1) @ w
scaler.scale(2 * h.float().sum()).backward()
scaler.step(optimizer)
scaler.update()
scheduler.step()
print(f"{w.item() = }")
print(f"{scheduler.get_last_lr() = }")
