import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from memory import ReplayMemory, Transition

torch.manual_seed(0)
random.seed(0)
GAMMA, TAU, BATCH_SIZE = 0.99, 0.05, 4


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super().__init__()
        self.layer1 = nn.Linear(n_observations, 6)
        self.layer2 = nn.Linear(6, n_actions)

    def forward(self, x):
        x = F.relu(self.layer1(x))
        return self.layer2(x)


policy_net, target_net = DQN(3, 2), DQN(3, 2)
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=1e-3, amsgrad=True)
memory = ReplayMemory(20)


def select_action(state):
    if random.random() > 0.3:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(2)]])


def optimize_model():
    if len(memory) < BATCH_SIZE:
        return
    batch = Transition(*zip(*memory.sample(BATCH_SIZE)))
    non_final = torch.tensor([s is not None for s in batch.next_state], dtype=torch.bool)
    next_states = torch.cat([s for s in batch.next_state if s is not None])
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    next_state_values = torch.zeros(BATCH_SIZE)
    with torch.no_grad():
        next_state_values[non_final] = target_net(next_states).max(1).values
    expected = (next_state_values * GAMMA) + reward_batch
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


state = torch.randn(1, 3)
for t in range(6):
    action = select_action(state)
    next_state = state + 0.1 * (action.float() - 0.5) if t % 5 else None
    memory.push(state, action, next_state, torch.tensor([1.0]))
    state = torch.randn(1, 3) if next_state is None else next_state
    optimize_model()
    target = target_net.state_dict()
    policy = policy_net.state_dict()
    for key in policy:
        target[key] = policy[key] * TAU + target[key] * (1 - TAU)
    target_net.load_state_dict(target)
print(len(memory))
