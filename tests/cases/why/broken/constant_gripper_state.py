"""The behavior cloning loss is nan from the first batch
(after "Fix bug in normalize to avoid divide by zero")."""
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset


class DemoDataset(Dataset):
    """States of an arm: joint angles and a gripper that never opens in these demos."""

    def __init__(self, n_frames=300):
        joints = torch.randn(n_frames, 6) * torch.tensor([0.3, 1.0, 2.0, 0.1, 0.5, 1.5])
        gripper = torch.full((n_frames, 1), 0.25)
        self.state = torch.cat([joints, gripper], dim=1)
        self.action = torch.stack([joints[:, 0] - joints[:, 3], torch.tanh(joints[:, 1])], dim=1)

    def stats(self):
        return {"mean": self.state.mean(0), "std": self.state.std(0)}

    def __len__(self):
        return len(self.state)

    def __getitem__(self, i):
        return {"observation.state": self.state[i], "action": self.action[i]}


class Normalize(nn.Module):
    def __init__(self, stats: dict[str, Tensor]):
        super().__init__()
        self.register_buffer("mean", stats["mean"])
        self.register_buffer("std", stats["std"])

    def forward(self, batch):
        batch = dict(batch)
        state = batch["observation.state"]
        batch["observation.state"] = (state - self.mean) / self.std  # cause: nan
        return batch


class BCPolicy(nn.Module):
    def __init__(self, stats):
        super().__init__()
        self.normalize_inputs = Normalize(stats)
        self.net = nn.Sequential(nn.Linear(7, 64), nn.SiLU(), nn.Linear(64, 2))

    def forward(self, batch):
        batch = self.normalize_inputs(batch)
        return nn.functional.mse_loss(self.net(batch["observation.state"]), batch["action"])  # suffers


torch.manual_seed(1000)
dataset = DemoDataset()
policy = BCPolicy(dataset.stats())
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
loader = DataLoader(dataset, batch_size=64, shuffle=True, drop_last=True)
step, done = 0, False
while not done:
    for batch in loader:
        loss = policy(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 15 == 0:
            print(f"step: {step} loss: {loss.item():.4f}")
        step += 1
        if step >= 60:
            done = True
            break
