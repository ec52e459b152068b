"""The learning rate moved but the loss never did, after "Why did my learning rate drop from the initial lr"."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

torch.manual_seed(12)

num_epochs = 4
images = torch.randn(256, 20)
letters = (images[:, 0] > 0).long() + 2 * (images[:, 1] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(20, 50)
        self.fc2 = nn.Linear(50, 4)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.01)
num_steps = num_epochs * len(images.split(32))
warmup = LinearLR(optimizer, start_factor=0.1, total_iters=5)
cosine = CosineAnnealingLR(optimizer, T_max=num_steps - 5, eta_min=1e-4)
lr_scheduler = SequentialLR(optimizer, [warmup, cosine], milestones=[5])

for epoch in range(1, num_epochs + 1):
    correct = 0
    order = torch.randperm(len(images))
    for picked in order.split(32):
        output = model(images[picked])
        loss = criterion(output, letters[picked])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        lr_scheduler.step()
        correct += (output.argmax(dim=1) == letters[picked]).sum().item()
    lr = optimizer.param_groups[0]["lr"]
    print(f"epoch {epoch}: loss {loss.item():.4f}  acc {correct / len(images):.3f}  lr {lr:.5f}")
