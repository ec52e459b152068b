# raises: RuntimeError
import torch
from torch import nn

d = torch.tensor([0.5], requires_grad=True)
label = torch.ones(1)
output = d.sigmoid()
error = nn.BCELoss()(output, label)
label.fill_(0.0)
error.backward()
