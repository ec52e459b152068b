"""After speedup the new layers don't change in fine-tuning
(after "The parameters are not updated when the pruned model is finetuned")."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.mlp = nn.Sequential(nn.Flatten(), nn.Linear(6 * 4 * 4, 40), nn.ReLU(), nn.Linear(40, 3))

    def forward(self, img):
        return self.mlp(self.features(img))


def speedup(mlp, keep):
    """Keeps the hidden units with the largest L1 norm, in smaller layers."""
    flatten, fc1, act, fc2 = mlp
    units = fc1.weight.detach().abs().sum(1).topk(keep).indices
    small1, small2 = nn.Linear(fc1.in_features, keep), nn.Linear(keep, fc2.out_features)
    with torch.no_grad():
        small1.weight.copy_(fc1.weight[units])
        small1.bias.copy_(fc1.bias[units])
        small2.weight.copy_(fc2.weight[:, units])
        small2.bias.copy_(fc2.bias)
    return nn.Sequential(flatten, small1, act, small2)


def trainer(model, optimizer, loader):
    model.train()
    running_loss = 0.0
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    return running_loss / len(loader)


def evaluator(model, loader):
    model.eval()
    with torch.no_grad():
        hits = [(model(x).argmax(1) == y).float().mean().item() for x, y in loader]
    return sum(hits) / len(hits)


torch.manual_seed(0)
images = torch.randn(240, 1, 10, 10)
labels = torch.randint(3, (240,))
for i, y in enumerate(labels.tolist()):
    images[i, 0, 3 * y:3 * y + 3] += 0.7
train_set, test_set = random_split(TensorDataset(images, labels), [192, 48])
train_loader, test_loader = DataLoader(train_set, 32, shuffle=True), DataLoader(test_set, 48)

model = SmallCNN()
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
for epoch in range(3):
    print(f"dense {epoch}: loss {trainer(model, optimizer, train_loader):.3f}")

model.mlp = speedup(model.mlp, keep=8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
for epoch in range(4):
    loss = trainer(model, optimizer, train_loader)
    print(f"finetune {epoch}: loss {loss:.3f}, acc {evaluator(model, test_loader):.3f}")
