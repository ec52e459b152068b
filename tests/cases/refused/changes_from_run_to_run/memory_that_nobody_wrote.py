import torch

print(torch.empty(1000).view(torch.uint8)[500].item())
