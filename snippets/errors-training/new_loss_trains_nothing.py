import torch

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
loss = torch.tensor((2 * w).item(), requires_grad=True)
scaler.scale(loss).backward()
try:
    scaler.step(optimizer)
except AssertionError as error:
    print(error)
