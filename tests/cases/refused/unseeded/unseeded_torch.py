import torch

print(torch.rand(1).shape)
