import torch
from torch import nn


def tree_sum(tensors):
    if len(tensors) == 1:
        return tensors[0]
    half = len(tensors) // 2
    return tree_sum(tensors[:half]) + tree_sum(tensors[half:])


class Agent:
    def __init__(self, n):
        self.q = nn.Parameter(torch.zeros(n, 2))
        self.target = self.q.detach().clone()
        self.trace = []

    @property
    def greedy(self):
        return self.q.argmax(dim=1)

    def td_error(self, s, a, r, s2):
        with torch.no_grad():
            bootstrap = self.target[s2].max()
        return r + 0.9 * bootstrap - self.q[s, a]

    def sync(self):
        self.target.copy_(self.q.data)


torch.manual_seed(0)
agent = Agent(3)
optimizer = torch.optim.SGD([agent.q], lr=0.5)
steps = [(0, 1, 0.0, 1), (1, 0, 1.0, 2), (2, 1, 0.5, 0)]
for sweep in range(2):
    errors = [agent.td_error(*step) for step in steps]
    agent.trace.append([e.item() for e in errors])
    loss = tree_sum([e.pow(2) for e in errors])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    agent.sync()
    greedy = agent.greedy
    print(sweep, greedy.tolist(), f"{loss.item():.3f}")
