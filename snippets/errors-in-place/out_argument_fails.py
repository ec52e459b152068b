# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
result = torch.zeros(2)
torch.add(x, 1, out=result)
