"""My loss is fine in the first step and I mask the zeros with torch.where, but then everything is nan."""
import torch
import torch.nn.functional as F
from torch import nn


class ZeroInflatedLoss(nn.Module):
    """The amount is 0 for most customers, and log-normal for the others."""

    def log_prob(self, amount, mean, scale):
        log_amount = torch.log(torch.where(amount > 0, amount, 1.0))
        return -((log_amount - mean) ** 2) / (2 * scale**2) - log_amount - torch.log(scale)

    def forward(self, output, amount):
        logit, mean, raw = output.unbind(1)
        buys = amount > 0
        scale = F.softplus(raw) + 1e-3
        log_prob = self.log_prob(amount, mean, scale)
        missing = F.binary_cross_entropy_with_logits(logit, buys.float(), reduction="none")
        return (missing - torch.where(buys, log_prob, torch.zeros_like(log_prob))).mean()


def main():
    torch.manual_seed(3)
    features = torch.randn(256, 6)
    amount = torch.exp(features[:, 0] + 0.3 * torch.randn(256)) * (features[:, 1] > 0)
    model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
    criterion = ZeroInflatedLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(4):
        for batch in torch.randperm(256).split(64):
            optimizer.zero_grad()
            loss = criterion(model(features[batch]), amount[batch])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
