import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
head = nn.Linear(4, 2)
for p in backbone[0].parameters():
    p.requires_grad = False
for name, param in head.named_parameters():
    if "bias" in name:
        param.requires_grad_(False)
optimizer = torch.optim.SGD([p for p in head.parameters() if p.requires_grad], lr=0.1)
x, y = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
for epoch in range(3):
    features = backbone(x)
    logits = head(features)
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 3))
backbone.eval()
with torch.no_grad():
    accuracy = (head(backbone(x)).argmax(1) == y).float().mean()
print(accuracy.item())
