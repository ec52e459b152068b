# raises: RuntimeError
import torch

torch.bmm(torch.ones(1, 2, 2).half(), torch.ones(1, 2, 2))
