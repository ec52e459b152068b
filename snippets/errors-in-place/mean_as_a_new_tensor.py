import torch

losses = torch.tensor([1.0, 3.0])
total = 0.0
with torch.inference_mode():
    for loss in losses:
        total += loss
mean = total / 2
print(f"{mean = }")
