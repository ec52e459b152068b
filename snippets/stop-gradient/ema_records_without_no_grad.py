import torch

w = torch.tensor(8.0, requires_grad=True)
ema = torch.tensor(0.0)
with torch.no_grad():
    ema.lerp_(w, 0.5)
print(f"{ema = }")
ema.lerp_(w, 0.5)
print(f"{ema = }")
