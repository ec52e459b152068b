# raises: RuntimeError
import torch

total = torch.zeros(())
torch.vmap(lambda x: total.add_(x))(torch.tensor([1.0, 2.0, 3.0]))
