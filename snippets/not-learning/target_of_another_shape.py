import warnings

import torch
from torch import nn

torch.manual_seed(0)
warnings.simplefilter("ignore")
x = torch.tensor([[0.0], [1.0], [2.0], [3.0]])
for y in (x, x.squeeze(1)):
    net = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(60):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    out = [round(value, 2) + 0.0 for value in net(x).flatten().tolist()]
    print(f"{tuple(y.shape)}: {out = }, {loss:.2f}")
