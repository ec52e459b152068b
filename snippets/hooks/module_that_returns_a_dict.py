import torch
from torch import nn


class Double(nn.Module):
    def forward(self, x):
        return {"y": 2 * x}


def watch_the_output(module, args, output):
    output["y"].register_hook(lambda g: calls.append("tensor"))


calls = []
double = Double()
double.register_full_backward_hook(lambda *_: calls.append("module"))
double.register_forward_hook(watch_the_output)

x = torch.ones(1, requires_grad=True)
double(x)["y"].backward()
print(f"{calls = }")
