"""The identity classifier in the loss stays at its init
(after "why is the "self.classifier = nn.Linear(self.emb_dim, self.nID)" not optimized?")."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class DetectionCrops(Dataset):
    def __init__(self, n_ids, per_id):
        looks = torch.randn(n_ids, 12)
        self.ids = torch.arange(n_ids).repeat(per_id)
        self.crops = looks[self.ids] + 0.5 * torch.randn(n_ids * per_id, 12)
        self.boxes = torch.tanh(self.crops[:, :4])

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input": self.crops[i], "wh": self.boxes[i], "ids": self.ids[i]}


class PoseDLA(nn.Module):
    def __init__(self, emb_dim):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(12, 32), nn.LayerNorm(32), nn.GELU())
        self.wh = nn.Linear(32, 4)
        self.id = nn.Linear(32, emb_dim)

    def forward(self, x):
        feat = self.base(x)
        return {"wh": self.wh(feat), "id": self.id(feat)}


class MotLoss(nn.Module):
    def __init__(self, emb_dim, nID):
        super().__init__()
        self.classifier = nn.Linear(emb_dim, nID)
        self.s_det = nn.Parameter(-1.85 * torch.ones(1))
        self.s_id = nn.Parameter(-1.05 * torch.ones(1))

    def forward(self, outputs, batch):
        det_loss = F.smooth_l1_loss(outputs["wh"], batch["wh"])
        id_loss = F.cross_entropy(self.classifier(F.normalize(outputs["id"]) * 4), batch["ids"])
        loss = torch.exp(-self.s_det) * det_loss + torch.exp(-self.s_id) * id_loss + self.s_det + self.s_id
        return 0.5 * loss.squeeze(0), {"det": det_loss.item(), "id": id_loss.item()}


def main(n_ids=10, emb_dim=16, epochs=8):
    torch.manual_seed(317)
    loader = DataLoader(DetectionCrops(n_ids, 16), batch_size=20, shuffle=True)
    model = PoseDLA(emb_dim)
    criterion = MotLoss(emb_dim, n_ids)
    optimizer = torch.optim.Adam([*model.parameters(), *criterion.parameters()], lr=2e-3)
    for epoch in range(epochs):
        model.train()
        sums = {"det": 0.0, "id": 0.0}
        for batch in loader:
            loss, stats = criterion(model(batch["input"]), batch)
            optimizer.zero_grad()
            criterion.zero_grad()
            loss.backward()
            optimizer.step()
            for key in sums:
                sums[key] += stats[key] / len(loader)
        print(f"epoch {epoch}: " + ", ".join(f"{k} {v:.3f}" for k, v in sums.items()))


if __name__ == "__main__":
    main()
