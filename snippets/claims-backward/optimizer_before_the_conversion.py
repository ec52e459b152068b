import torch
from torch import nn


def fails(steps_before):
    torch.manual_seed(0)
    net = nn.Linear(1, 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(steps_before):
        net(torch.ones(1, 1)).sum().backward()
        optimizer.step()
    weight = net.weight
    net.double()
    print(f"{net.weight is weight = }")
    before = weight.clone()
    optimizer.zero_grad()
    net(torch.ones(1, 1).double()).sum().backward()
    try:
        optimizer.step()
    except RuntimeError as error:
        print(error)
        return True
    return torch.equal(weight, before)


holds = [fails(steps_before=0), fails(steps_before=1)]
print(f"{holds = }")
