"""After the first validation my image-text model overfits as if dropout were off for the rest of the epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

VAL_STEP = 5


class Tower(nn.Module):
    def __init__(self, n_in, n_emb=16):
        super().__init__()
        self.hidden = nn.Linear(n_in, 48, bias=False)
        self.bn = nn.BatchNorm1d(48)
        self.drop = nn.Dropout(0.3)
        self.proj = nn.Linear(48, n_emb)

    def forward(self, x):
        h = self.drop(torch.relu(self.bn(self.hidden(x))))
        return F.normalize(self.proj(h), dim=1)


class VSE(nn.Module):
    """Visual-semantic embedding with a hinge over the wrong pairs of the batch."""

    def __init__(self, img_dim, txt_dim, margin=0.2):
        super().__init__()
        self.img_enc = Tower(img_dim)
        self.txt_enc = Tower(txt_dim)
        self.margin = margin

    def forward(self, img, txt):
        scores = self.img_enc(img) @ self.txt_enc(txt).t()
        diag = scores.diag().unsqueeze(1)
        eye = torch.eye(len(scores), dtype=torch.bool)
        cost_txt = (self.margin + scores - diag).clamp(min=0).masked_fill(eye, 0)
        cost_img = (self.margin + scores - diag.t()).clamp(min=0).masked_fill(eye, 0)
        return cost_txt.mean() + cost_img.mean(), scores


def validate(model, loader):
    model.eval()  # cause: mode
    ranks = []
    with torch.no_grad():
        for img, txt in loader:
            _, scores = model(img, txt)
            ranks.append((scores > scores.diag().unsqueeze(1)).sum(1).float())
    return torch.cat(ranks).mean().item()


def train_epoch(model, opt, train_loader, val_loader, epoch):
    model.train()
    for i, (img, txt) in enumerate(train_loader, start=1):
        opt.zero_grad()
        loss, _ = model(img, txt)
        loss.backward()
        opt.step()
        if i % VAL_STEP == 0:
            rank = validate(model, val_loader)
            print(f"epoch {epoch} step {i:2d} loss {loss.item():.4f} mean rank {rank:.2f} dropout on {model.training}")


def main():
    torch.manual_seed(8)
    topic = torch.randn(512, 6)
    img = topic @ torch.randn(6, 30) + 0.5 * torch.randn(512, 30)
    txt = topic @ torch.randn(6, 20) + 0.5 * torch.randn(512, 20)
    train_set, val_set = random_split(TensorDataset(img, txt), [416, 96])
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=32)
    model = VSE(30, 20)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(3):
        train_epoch(model, opt, train_loader, val_loader, epoch)


main()
