import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(4, 2)
        self.out = nn.Linear(2, 4, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        return self.out(self.embed(ids))


torch.manual_seed(0)
model = Model()
print(f"{[name for name, _ in model.named_parameters()] = }")
print(f"{list(model.state_dict()) = }")
model.out.requires_grad_(False)
print(f"{model.embed.weight.requires_grad = }")
