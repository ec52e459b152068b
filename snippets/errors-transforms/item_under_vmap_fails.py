# raises: RuntimeError
import torch

torch.vmap(lambda x: x.item())(torch.tensor([1.0, 2.0]))
