import torch
from torch.nn.utils import clip_grad_norm_

w = torch.tensor([3.0, 4.0], requires_grad=True)
sgd = torch.optim.SGD([w], lr=1.0)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
scaler.scale((w**2).sum() / 2).backward()
scaler.unscale_(sgd); clip_grad_norm_([w], 1.0); scaler.step(sgd)  # or:
# | clip_grad_norm_([w], 1.0); scaler.unscale_(sgd); scaler.step(sgd)
# | clip_grad_norm_([w], 1.0); scaler.step(sgd)
# | scaler.unscale_(sgd); scaler.step(sgd); clip_grad_norm_([w], 1.0)
# | clip_grad_norm_([w], 1.0); scaler.step(sgd); scaler.unscale_(sgd) raises RuntimeError
scaler.update()
print(f"{w = }")
