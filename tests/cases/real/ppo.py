import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs_dim, 8), nn.Tanh(), nn.Linear(8, n_actions))
        self.critic = nn.Sequential(nn.Linear(obs_dim, 8), nn.Tanh(), nn.Linear(8, 1))

    def act(self, state):
        dist = Categorical(logits=self.actor(state))
        action = dist.sample()
        return action.detach(), dist.log_prob(action).detach()

    def evaluate(self, state, action):
        dist = Categorical(logits=self.actor(state))
        return dist.log_prob(action), self.critic(state).squeeze(-1), dist.entropy()


policy, policy_old = ActorCritic(4, 2), ActorCritic(4, 2)
policy_old.load_state_dict(policy.state_dict())
optimizer = torch.optim.Adam(
    [{"params": policy.actor.parameters(), "lr": 3e-3}, {"params": policy.critic.parameters(), "lr": 1e-2}]
)
mse = nn.MSELoss()

states = torch.randn(6, 4)
with torch.no_grad():
    actions, logprobs = policy_old.act(states)
rewards, discounted = [], 0.0
for reward in reversed([1.0, 0.0, 1.0, 1.0, 0.0, 1.0]):
    discounted = reward + 0.99 * discounted
    rewards.insert(0, discounted)
rewards = torch.tensor(rewards)
rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-7)

for _ in range(2):
    new_logprobs, values, entropy = policy.evaluate(states, actions)
    advantages = rewards - values.detach()
    ratios = torch.exp(new_logprobs - logprobs)
    surr1 = ratios * advantages
    surr2 = torch.clamp(ratios, 0.8, 1.2) * advantages
    loss = -torch.min(surr1, surr2) + 0.5 * mse(values, rewards) - 0.01 * entropy
    optimizer.zero_grad()
    loss.mean().backward()
    optimizer.step()
    print(f"{loss.mean().item():.4f}")
policy_old.load_state_dict(policy.state_dict())
