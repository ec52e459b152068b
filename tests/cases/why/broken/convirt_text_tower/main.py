"""Only the image tower learns, the text tower keeps its first weights
(after "Text encoder in 'no_grad' block?")."""
import torch

from data import get_loaders
from losses import NTXentLoss
from model import ModelCLR


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    total = 0.0
    with torch.set_grad_enabled(optimizer is not None):
        for xis, xls in loader:
            loss = criterion(*model(xis, xls))
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item()
    return total / len(loader)


def main():
    torch.manual_seed(0)
    train_loader, valid_loader = get_loaders(n_train=128, n_valid=32, batch_size=16)
    model = ModelCLR(vocab_size=50, out_dim=16)
    optimizer = torch.optim.Adam(model.parameters(), 3e-3, weight_decay=1e-6)
    criterion = NTXentLoss(temperature=0.2, alpha_weight=0.75)
    for epoch in range(5):
        train_loss = run_epoch(model, train_loader, criterion, optimizer)
        valid_loss = run_epoch(model, valid_loader, criterion)
        print(f"epoch {epoch}: train {train_loss:.4f}, valid {valid_loss:.4f}")


if __name__ == "__main__":
    main()
