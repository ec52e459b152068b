# raises: RuntimeError
import torch
from torch.nn.functional import dropout

torch.manual_seed(0)
x = torch.ones(2, 4)
torch.vmap(dropout)(x)
