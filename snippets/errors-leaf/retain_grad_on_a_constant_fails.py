# raises: RuntimeError
import torch

image = torch.tensor([1.0, 2.0])
h = image * 3
h.retain_grad()
