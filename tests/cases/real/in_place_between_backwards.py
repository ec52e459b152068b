import torch
from torch import nn

torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
critic = nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1))
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-2)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-2)

state, reward = torch.randn(6, 3), torch.randn(6, 1)
for update in range(2):
    action = actor(state)
    q = critic(torch.cat([state, action], dim=1))
    critic_loss = ((q - reward) ** 2).mean()
    actor_loss = -q.mean()
    critic_optimizer.zero_grad()
    critic_loss.backward(retain_graph=True)
    critic_optimizer.step()
    actor_optimizer.zero_grad()
    actor_loss.backward()
    actor_optimizer.step()
