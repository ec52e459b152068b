import torch


def train_one_epoch(model, criterion, optimizer, data):
    model.train()
    total = 0.0
    for images, targets in data:
        loss = criterion(model(images), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(data)


@torch.inference_mode()
def evaluate(model, data):
    model.eval()
    right = [(model(images).argmax(1) == targets).float().mean() for images, targets in data]
    return torch.stack(right).mean().item()
