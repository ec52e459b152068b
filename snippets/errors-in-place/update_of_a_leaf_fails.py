# raises: RuntimeError
import torch

w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
w -= 0.25 * w.grad
