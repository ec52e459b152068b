# raises: RuntimeError
import torch

x = torch.tensor(2.0)
y = x * 3
y.register_hook(print)
