# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
hidden = x * 3
first = hidden[0]
first.detach_()
