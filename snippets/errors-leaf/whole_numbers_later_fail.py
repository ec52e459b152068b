# raises: RuntimeError
import torch

pixels = torch.tensor([1, 2, 3])
pixels.requires_grad_()
