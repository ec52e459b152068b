import torch
from torch.nn.functional import dropout

torch.manual_seed(0)
x = torch.ones(2, 6)
for kind in ("same", "different"):
    print(kind, torch.vmap(dropout, randomness=kind)(x).tolist())
