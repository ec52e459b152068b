"""Fine-tuning stops in backward() (after "Finetune: "does not require grad and does not have a grad_fn"")."""
import torch
from torch import nn, optim

N_WAY, N_SHOT, N_QUERY = 4, 5, 6


class PrototypicalNetworks(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def process_support_set(self, support_images, support_labels):
        z_support = self.backbone(support_images)
        self.prototypes = torch.stack([z_support[support_labels == k].mean(0) for k in range(N_WAY)])

    def forward(self, support_images, support_labels, query_images):
        self.process_support_set(support_images, support_labels)
        z_query = self.backbone(query_images)
        return -torch.cdist(z_query, self.prototypes)


class TaskSampler:
    def __init__(self, n_classes=12, n_tasks=60):
        self.g = torch.Generator().manual_seed(0)
        self.centres = torch.randn(n_classes, 16, generator=self.g)
        self.spread, self.n_tasks = torch.linspace(0.3, 3.0, 16), n_tasks

    def __len__(self):
        return self.n_tasks

    def __iter__(self):
        for _ in range(self.n_tasks):
            ways = torch.randperm(len(self.centres), generator=self.g)[:N_WAY]
            yield (*self.draw(ways, N_SHOT), *self.draw(ways, N_QUERY))

    def draw(self, ways, shots):
        labels = torch.arange(N_WAY).repeat_interleave(shots)
        noise = torch.randn(len(labels), 16, generator=self.g) * self.spread
        return self.centres[ways[labels]] + noise, labels


def evaluate(few_shot_classifier, tasks):
    few_shot_classifier.eval()
    right = []
    with torch.no_grad():
        for support_x, support_y, query_x, query_y in tasks:
            scores = few_shot_classifier(support_x, support_y, query_x)
            right.append((scores.argmax(1) == query_y).float().mean().item())
    return sum(right) / len(right)


torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8, bias=False))
few_shot_classifier = PrototypicalNetworks(backbone)
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(few_shot_classifier.parameters(), lr=5e-3)

print("accuracy before:", evaluate(few_shot_classifier, TaskSampler()))
few_shot_classifier.train()
for episode, (support_x, support_y, query_x, query_y) in enumerate(TaskSampler()):
    optimizer.zero_grad()
    scores = few_shot_classifier(support_x, support_y, query_x)
    loss = criterion(scores, query_y)
    loss.backward()
    optimizer.step()
    if episode % 20 == 19:
        print("episode", episode + 1, "loss", loss.item())
print("accuracy after:", evaluate(few_shot_classifier, TaskSampler()))
