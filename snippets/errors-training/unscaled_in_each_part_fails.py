# raises: RuntimeError
import torch

w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for part in (2.0, 3.0):
    scaler.scale((part * w).sum()).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_([w], max_norm=100.0)
scaler.step(optimizer)
scaler.update()
