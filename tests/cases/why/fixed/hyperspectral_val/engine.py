"""Training and validation."""
import torch


def train(net, optimizer, criterion, data_loader, epochs, val_loader):
    for e in range(1, epochs + 1):
        net.train()
        avg_loss = 0.0
        for data, target in data_loader:
            optimizer.zero_grad()
            output = net(data)
            loss = criterion(output, target)
            loss.backward()
            optimizer.step()
            avg_loss += loss.item()
        avg_loss /= len(data_loader)
        print(f"Epoch {e}/{epochs}  loss {avg_loss:.4f}  val {val(net, val_loader):.4f}")


def val(net, data_loader):
    net.eval()
    accuracy, total = 0, 0
    with torch.no_grad():
        for data, target in data_loader:
            output = net(data)
            _, output = torch.max(output, dim=1)
            accuracy += (output == target).sum().item()
            total += len(target)
    return accuracy / total
