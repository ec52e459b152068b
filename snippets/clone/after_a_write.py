import copy
from types import SimpleNamespace

import torch

ways = {
    "x": lambda x: x,
    "x.detach()": lambda x: x.detach(),
    "x.data": lambda x: x.data,
    "x.detach().data": lambda x: x.detach().data,
    "x.clone()": lambda x: x.clone(),
    "x.detach().clone()": lambda x: x.detach().clone(),
    "x.clone().detach()": lambda x: x.clone().detach(),
    "copy.deepcopy(x)": lambda x: copy.deepcopy(x),
}
rows = {}
for name, way in ways.items():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = way(x)
    with torch.no_grad():
        c[0] = 9.0
    rows[name] = SimpleNamespace(x=x, c=c)
    print(f"{name:20}{x.tolist()}")
