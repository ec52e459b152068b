"""With a horizon of one no model beat the mean, only a warning showed, after "fix(ml-training): MSE broadcasting bug pred_len=1 in M8 archi"."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class WindowDataset(Dataset):
    def __init__(self, series, seq_len=12):
        self.series, self.seq_len = series, seq_len

    def __len__(self):
        return len(self.series) - self.seq_len

    def __getitem__(self, i):
        window = self.series[i:i + self.seq_len]
        return window.unsqueeze(-1), self.series[i + self.seq_len]


class GRUForecaster(nn.Module):
    def __init__(self, d_model=16, pred_len=1):
        super().__init__()
        self.gru = nn.GRU(1, d_model, batch_first=True)
        self.head = nn.Linear(d_model, pred_len)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1])


criterion = nn.MSELoss()


def batch_loss(model, x_batch, y_batch):
    pred = model(x_batch)
    return criterion(pred, y_batch.view_as(pred))


def train_epoch(model, loader, optimizer):
    model.train()
    losses = []
    for x_batch, y_batch in loader:
        optimizer.zero_grad()
        loss = batch_loss(model, x_batch, y_batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    losses = [batch_loss(model, x_batch, y_batch).item() for x_batch, y_batch in loader]
    return sum(losses) / len(losses)


if __name__ == "__main__":
    torch.manual_seed(0)
    t = torch.arange(400.0)
    series = torch.sin(t / 3.0) + 0.05 * torch.randn(400)
    train_loader = DataLoader(WindowDataset(series[:320]), batch_size=32, shuffle=True)
    val_loader = DataLoader(WindowDataset(series[320:]), batch_size=34)
    model = GRUForecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(8):
        tr, va = train_epoch(model, train_loader, optimizer), evaluate(model, val_loader)
        print(f"Epoch {epoch + 1}: train={tr:.4f} val={va:.4f}")
