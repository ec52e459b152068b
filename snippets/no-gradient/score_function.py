import torch
from torch.distributions import Bernoulli

torch.manual_seed(0)
p = torch.tensor(0.25, requires_grad=True)
choice = Bernoulli(p)
a = choice.sample((100_000,))
reward = 3.0 + 2.0 * a
(-choice.log_prob(a) * reward).mean().backward()
print(f"{p.grad = :.1f}")

p = torch.tensor(0.25, requires_grad=True)
expected = (1 - p) * 3.0 + p * 5.0
(-expected).backward()
print(f"{p.grad = :.1f}")
