import torch

w = torch.ones(1, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
scaler = torch.amp.GradScaler("cpu")
for step in range(4):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        h = torch.ones(1, 1) @ w
    scaler.scale(2 * h.float().sum()).backward()
    scaler.step(optimizer)
    before = scaler.get_scale()
    scaler.update()
    if scaler.get_scale() >= before:
        scheduler.step()
    print(f"{w.item() = :.2f} {scheduler.get_last_lr()[0] = :.3f}")
