import torch
from torch.nn import functional as F

rows = {}
for mode in ("bilinear", "nearest"):
    image = torch.tensor([[[[1.0, 2.0, 4.0]]]], requires_grad=True)
    place = torch.tensor([[[[-0.25, 0.0]]]], requires_grad=True)
    y = F.grid_sample(image, place, mode, align_corners=True)
    y.sum().backward()
    print(f"{mode}: {y.item()}")
    print(f"{image.grad.flatten() = }")
    print(f"{place.grad.flatten() = }")
    rows[mode] = (image.grad.flatten(), place.grad.flatten())
