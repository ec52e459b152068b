import torch

print(torch.ones(2).data_ptr())
