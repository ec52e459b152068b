# raises: ValueError
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
saved = torch.optim.Adam(model.parameters()).state_dict()
model[0].requires_grad_(False)
trained = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(trained)
optimizer.load_state_dict(saved)
