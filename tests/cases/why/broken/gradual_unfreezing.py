"""I unfreeze one block after the other, but fine-tuning gets no better than training the head alone."""
import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.block1 = nn.Linear(8, width)
        self.block2 = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.block2(torch.tanh(self.block1(x)))))


def batches(weights, n=160, size=16):
    x = torch.randn(n, 8)
    y = torch.tanh(x @ weights)
    return [(x[i : i + size], y[i : i + size]) for i in range(0, n, size)]


def fit(model, optimizer, data, epochs):
    for _ in range(epochs):
        for x, y in data:
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def unfreeze(module):
    for parameter in module.parameters():
        parameter.requires_grad = True  # cause: unfrozen


def main():
    torch.manual_seed(5)
    model = Encoder()
    print("pretraining", fit(model, torch.optim.Adam(model.parameters(), lr=1e-2), batches(torch.randn(8, 1)), 2))
    for parameter in model.parameters():
        parameter.requires_grad = False
    model.head = nn.Linear(24, 1)
    optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=1e-2)
    data = batches(torch.randn(8, 1))
    for stage in (None, model.block2, model.block1):
        if stage is not None:
            unfreeze(stage)
        print("stage", fit(model, optimizer, data, 2))


if __name__ == "__main__":
    main()
