"""Training works but the LayerNorm scales are still all ones and the Linear biases never change."""
import torch
from torch import nn

from data import make_loader
from model import TextClassifier
from optim import build_optimizer


def evaluate(model, loader):
    model.eval()
    hits = n = 0
    with torch.no_grad():
        for tokens, labels in loader:
            hits += (model(tokens).argmax(1) == labels).sum().item()
            n += len(labels)
    model.train()
    return hits / n


def main():
    torch.manual_seed(0)
    train, test = make_loader(384, seed=1), make_loader(128, seed=2)
    model = TextClassifier(vocab=50, dim=32, classes=3)
    optimizer = build_optimizer(model, lr=3e-3, weight_decay=0.01)
    criterion = nn.CrossEntropyLoss()
    start = {name: p.detach().clone() for name, p in model.named_parameters()}

    for epoch in range(5):
        for tokens, labels in train:
            optimizer.zero_grad()
            loss = criterion(model(tokens), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f} test acc {evaluate(model, test):.3f}")

    for name, p in model.named_parameters():
        print(f"{name:20s} moved {(p.detach() - start[name]).abs().max().item():.5f}")


if __name__ == "__main__":
    main()
