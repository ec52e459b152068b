import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(1, 1, bias=False).requires_grad_(False)
saved = model.state_dict()
loaded = nn.Linear(1, 1, bias=False)
loaded.load_state_dict(saved)
print(f"{torch.equal(loaded.weight, model.weight) = }")
print(f"{loaded.weight.requires_grad = }")
