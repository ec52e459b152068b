"""The critic loss of my A2C stays as large as the variance of the rewards; every state gets the same value."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_STATES, N_ACTIONS, BATCH = 6, 4, 64


class ContextualBandit:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.pay = torch.randn(N_STATES, N_ACTIONS, generator=self.g) + torch.arange(N_STATES)[:, None] * 0.5

    def observe(self, n):
        self.idx = torch.randint(0, N_STATES, (n,), generator=self.g)
        return F.one_hot(self.idx, N_STATES).float()

    def reward(self, actions):
        noise = 0.1 * torch.randn(len(actions), generator=self.g)
        return self.pay[self.idx, actions] + noise


class ActorCritic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(N_STATES, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, N_ACTIONS)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h)


def update(model, optimizer, env):
    obs = env.observe(BATCH)
    dist, values = model(obs)
    actions = dist.sample()
    rewards = env.reward(actions)

    advantage = rewards - values.squeeze(-1)
    actor_loss = -(dist.log_prob(actions) * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    loss = actor_loss + 0.5 * critic_loss - 0.01 * dist.entropy().mean()

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return rewards.mean().item(), critic_loss.item()


def train(updates=150):
    torch.manual_seed(31)
    env = ContextualBandit(seed=31)
    model = ActorCritic()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for k in range(updates):
        reward, c_loss = update(model, optimizer, env)
        if k % 30 == 0 or k == updates - 1:
            print(f"update {k:3d} reward {reward:.3f} critic {c_loss:.3f}")
    with torch.no_grad():
        print("values per state:", model(torch.eye(N_STATES))[1].flatten().tolist())


if __name__ == "__main__":
    train()
