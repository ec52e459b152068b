# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
result = torch.empty(2)
torch.add(x, 1, out=result)
