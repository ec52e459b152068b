from contextlib import nullcontext

import torch
from torch import nn


class Case:
    def __init__(self, switch=lambda m: m, context=nullcontext()):
        self.layer = switch(nn.Linear(1, 1))
        nn.init.constant_(self.layer.weight, 3.0)
        self.x = torch.tensor([2.0], requires_grad=True)
        with context:
            self.y = self.layer(self.x)
        if self.y.requires_grad:
            self.y.backward()


torch.manual_seed(0)
cases = {
    "default": Case(),
    "no_grad()": Case(context=torch.no_grad()),
    "inference_mode()": Case(context=torch.inference_mode()),
    "eval()": Case(lambda m: m.eval()),
    "requires_grad_(False)": Case(lambda m: m.requires_grad_(False)),
}
print([name for name, t in cases.items() if t.y.requires_grad])
