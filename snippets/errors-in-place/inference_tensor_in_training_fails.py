# raises: RuntimeError
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.inference_mode():
    c = torch.tensor([3.0, 4.0])
(w * c).sum().backward()
