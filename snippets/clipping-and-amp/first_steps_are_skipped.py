import torch

x = torch.ones(1, 1)
w = torch.ones(1, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(4):
    optimizer.zero_grad()
    scale = scaler.get_scale()
    with torch.autocast("cpu", dtype=torch.float16):
        h = x @ w
    loss = 2 * h.float().sum()
    scaler.scale(loss).backward()
    grad = w.grad.item()
    scaler.step(optimizer)
    scaler.update()
    print(f"{scale = } {grad = } {w.item() = :.1f}")
