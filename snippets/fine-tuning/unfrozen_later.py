import torch
from torch import nn


def train(add):
    body = nn.Linear(1, 1, bias=False).requires_grad_(False)
    head = nn.Linear(1, 1, bias=False)
    nn.init.ones_(body.weight), nn.init.ones_(head.weight)
    model = nn.Sequential(body, head)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trained, lr=0.1)
    body.requires_grad_(True)
    if add:
        group = {"params": body.parameters(), "lr": 0.01}
        optimizer.add_param_group(group)
    model(torch.ones(1, 1)).sum().backward()
    optimizer.step()
    return round(body.weight.item(), 2), round(head.weight.item(), 2)


torch.manual_seed(0)
print(f"{train(add=False) = }")
print(f"{train(add=True) = }")
