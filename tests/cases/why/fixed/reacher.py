"""DDPG on a toy arm: the critic loss bounces up and down for ever where other people get nearly zero."""
import copy
from collections import deque
import random

import torch
from torch import nn, optim


class Reacher:
    """A point on a line that must reach a goal; 20 moves."""

    def reset(self):
        self.pos, self.goal, self.t = random.uniform(-1, 1), random.uniform(-1, 1), 0
        return [self.pos, self.goal]

    def step(self, action):
        self.pos = max(-2.0, min(2.0, self.pos + 0.3 * action))
        self.t += 1
        return [self.pos, self.goal], -abs(self.pos - self.goal), self.t >= 20


class Agent:
    def __init__(self, gamma=0.8, tau=0.05):
        self.actor = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 1))
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = optim.Adam(self.critic.parameters(), lr=5e-3)
        self.memory = deque(maxlen=2000)
        self.gamma, self.tau = gamma, tau

    def act(self, state):
        with torch.no_grad():
            a = self.actor(torch.tensor(state)).item()
        return max(-1.0, min(1.0, a + random.gauss(0, 0.5)))

    def learn(self, batch_size=32):
        batch = random.sample(self.memory, batch_size)
        s, a, r, s2 = (torch.tensor(col, dtype=torch.float32) for col in zip(*batch))
        a, r = a.unsqueeze(1), r.unsqueeze(1)

        with torch.no_grad():
            q_next = self.critic_target(torch.cat([s2, self.actor_target(s2)], dim=1))
            target = r + self.gamma * q_next
        critic_loss = nn.functional.mse_loss(self.critic(torch.cat([s, a], dim=1)), target)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        actor_loss = -self.critic(torch.cat([s, self.actor(s)], dim=1)).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        for net, slow in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for p, q in zip(net.parameters(), slow.parameters()):
                q.data.lerp_(p.data, self.tau)
        return critic_loss.item(), actor_loss.item()


if __name__ == "__main__":
    random.seed(5)
    torch.manual_seed(5)
    env, agent = Reacher(), Agent()
    for episode in range(20):
        state, done, score, c_loss = env.reset(), False, 0.0, 0.0
        while not done:
            action = agent.act(state)
            nxt, reward, done = env.step(action)
            agent.memory.append((state, action, reward, nxt))
            state, score = nxt, score + reward
            if len(agent.memory) >= 40:
                c_loss, _ = agent.learn()
        print(f"episode {episode:2d} score {score:7.2f} critic loss {c_loss:.4f}")
