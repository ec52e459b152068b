import torch
from torch.nn.functional import dropout

torch.manual_seed(0)
x = torch.ones(2, 6)
randomness = "same"  # or: "different" | "error" raises RuntimeError
print(torch.vmap(dropout, randomness=randomness)(x))
