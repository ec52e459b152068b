import copy

import torch
from torch import nn


class SimSiam(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(inplace=True), nn.Linear(6, 3))
        self.predictor = nn.Linear(3, 3)

    def forward(self, x1, x2):
        z1, z2 = self.encoder(x1), self.encoder(x2)
        p1, p2 = self.predictor(z1), self.predictor(z2)
        return p1, p2, z1.detach(), z2.detach()


@torch.no_grad()
def update_teacher(student, teacher, m=0.9):
    for q, k in zip(student.parameters(), teacher.parameters()):
        k.data.mul_(m).add_((1 - m) * q.detach().data)


torch.manual_seed(0)
model = SimSiam()
teacher = copy.deepcopy(model)
for p in teacher.parameters():
    p.requires_grad_(False)
criterion = nn.CosineSimilarity(dim=1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, weight_decay=1e-4)
for i in range(2):
    x = torch.randn(5, 4)
    x1, x2 = x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
    p1, p2, z1, z2 = model(x1=x1, x2=x2)
    loss = -(criterion(p1, z2).mean() + criterion(p2, z1).mean()) * 0.5
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    update_teacher(model, teacher)
    print(f"{loss.item():.3f}")
with torch.inference_mode():
    features = teacher.encoder(torch.randn(3, 4))
print(features.is_inference())
