import torch
from torch import nn


def moved(evaluate):
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    model = nn.Sequential(body, nn.Linear(3, 1)).train()
    body.requires_grad_(False)
    if evaluate:
        body.eval()
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(trained, weight_decay=0.1)
    before = {k: v.clone() for k, v in model.state_dict().items()}
    model(torch.randn(8, 2)).square().mean().backward()
    optimizer.step()
    after = model.state_dict()
    return [k for k in before if not torch.equal(before[k], after[k])]


print(f"{moved(evaluate=False) = }")
print(f"{moved(evaluate=True) = }")
