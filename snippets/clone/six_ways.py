import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
ways = {
    "x": x,
    "x.detach()": x.detach(),
    "x.data": x.data,
    "x.clone()": x.clone(),
    "x.detach().clone()": x.detach().clone(),
    "copy.deepcopy(x)": copy.deepcopy(x),
}
for name, t in ways.items():
    print(f"{name:20}{t}")
