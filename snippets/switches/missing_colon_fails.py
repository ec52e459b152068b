# raises: SyntaxError
import torch

w = torch.tensor(2.0, requires_grad=True)
with torch.no_grad()
    y = w * 3
