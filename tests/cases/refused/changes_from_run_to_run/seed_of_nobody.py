import torch

print(torch.initial_seed())
