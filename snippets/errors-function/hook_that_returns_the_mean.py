# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda g: g.mean())
(x * x).sum().backward()
