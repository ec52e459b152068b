import torch

w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scales = []
for step in range(200):
    optimizer.zero_grad()
    loss = (w * 0).sqrt().sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    scales.append(scaler.get_scale())
print(f"{loss.item() = }, {w.grad = }, {w = }")
print(f"{scales[0] = }, {scales[19] = }, {scales[-1] = }")
