# raises: RuntimeError
import copy

import torch

x = torch.tensor(3.0, requires_grad=True)
h = x * 2
copy.deepcopy(h)
