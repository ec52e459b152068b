import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = nn.Parameter(torch.ones(1))
        self.register_buffer("b", torch.ones(1))
        self.register_buffer("n", torch.ones(1), persistent=False)
        self.t = torch.ones(1)


m = Model().double()
rows = {name: name for name in "pbnt"}
parameters = dict(m.named_parameters())
buffers = dict(m.named_buffers())
saved = m.state_dict()
print(f"{list(parameters) = }, {list(buffers) = }")
print(f"{list(saved) = }")
