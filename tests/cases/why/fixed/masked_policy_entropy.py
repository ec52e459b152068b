"""With invalid actions masked the first loss is nan, and then sampling an action raises an error
(after "fix: handle zero-probability tokens in entropy_from_logits")."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N_OBS, N_ACTIONS = 8, 5


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(N_OBS, 32), nn.Tanh())
        self.pi = nn.Linear(32, N_ACTIONS)
        self.v = nn.Linear(32, 1)

    def forward(self, obs, mask):
        h = self.shared(obs)
        return self.pi(h).masked_fill(~mask, float("-inf")), self.v(h).squeeze(-1)


def entropy_from_logits(logits):
    probs = F.softmax(logits, dim=-1)
    return -(probs * torch.log(probs + 1e-8)).sum(-1)


def rollout(policy, n=64):
    obs = torch.randn(n, N_OBS)
    mask = torch.ones(n, N_ACTIONS, dtype=torch.bool)
    mask[torch.arange(n), torch.randint(1, N_ACTIONS, (n,))] = False
    with torch.no_grad():
        logits, _ = policy(obs, mask)
        actions = torch.multinomial(logits.softmax(-1), 1).squeeze(1)
    best = torch.where(obs[:, 0] > 0, 0, mask[:, 1:].float().argmax(1) + 1)
    return obs, mask, actions, (actions == best).float()


def a2c_update(policy, optimizer, batch, ent_coef=0.01, vf_coef=0.5):
    obs, mask, actions, rewards = batch
    logits, values = policy(obs, mask)
    advantage = rewards - values.detach()
    log_prob = F.log_softmax(logits, dim=-1).gather(1, actions[:, None]).squeeze(1)
    pg_loss = -(advantage * log_prob).mean()
    vf_loss = F.mse_loss(values, rewards)
    loss = pg_loss + vf_coef * vf_loss - ent_coef * entropy_from_logits(logits).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


policy = ActorCritic()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for update in range(60):
    batch = rollout(policy)
    loss = a2c_update(policy, optimizer, batch)
    if update % 12 == 0:
        print(f"update {update:3d} | reward {batch[-1].mean().item():.3f} | loss {loss:.4f}")
