# raises: AssertionError
import torch

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
loss = (2 * w).sum()
scaler.scale(loss).backward()
optimizer.zero_grad()
scaler.step(optimizer)
