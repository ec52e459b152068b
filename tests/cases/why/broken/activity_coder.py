"""The sparsity term I collect with a forward hook is 0.0 in every epoch, so the codes don't get sparse."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SparseAutoencoder(nn.Module):
    def __init__(self, n_in=32, n_code=24):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 40), nn.ReLU(), nn.Linear(40, n_code), nn.Sigmoid())
        self.decoder = nn.Linear(n_code, n_in)

    def forward(self, x):
        code = self.encoder.forward(x)  # cause: hook
        return self.decoder(code)


class ActivityPenalty:
    """Remembers what a module puts out, for a KL term toward a small mean activity."""

    def __init__(self, module, rho=0.1):
        self.rho = rho
        self.seen = []
        self.handle = module.register_forward_hook(self.remember)

    def remember(self, module, args, output):
        self.seen.append(output)

    def collect(self):
        total = torch.zeros(())
        for out in self.seen:
            mean = out.mean(dim=0).clamp(1e-4, 1 - 1e-4)
            total = total + (self.rho * torch.log(self.rho / mean)
                             + (1 - self.rho) * torch.log((1 - self.rho) / (1 - mean))).sum()
        self.seen.clear()
        return total


def main():
    torch.manual_seed(14)
    parts = torch.randn(12, 32)
    which = (torch.rand(400, 12) < 0.15).float()
    loader = DataLoader(TensorDataset(which @ parts), batch_size=40, shuffle=True)

    model = SparseAutoencoder()
    penalty = ActivityPenalty(model.encoder)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(8):
        rec_sum = kl_sum = 0.0
        for (batch,) in loader:
            rec = nn.functional.mse_loss(model(batch), batch)
            kl = penalty.collect()
            loss = rec + 0.1 * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            rec_sum += rec.item()
            kl_sum += kl.item()
        print(f"epoch {epoch} rec {rec_sum / len(loader):.4f} sparsity {kl_sum / len(loader):.4f}")
    penalty.handle.remove()


if __name__ == "__main__":
    main()
