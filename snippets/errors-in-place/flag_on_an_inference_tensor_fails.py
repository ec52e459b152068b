# raises: RuntimeError
import torch

with torch.inference_mode():
    image = torch.tensor([1.0, 2.0])
image.requires_grad_()
