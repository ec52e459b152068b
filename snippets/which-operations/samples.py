import torch
from torch.distributions import Bernoulli, Normal, RelaxedBernoulli

programs = """Normal(p, 1.0).sample()
Normal(p, 1.0).rsample()
torch.normal(p, 1.0)
p + torch.randn(())
Bernoulli(p).sample()
torch.bernoulli(p)
torch.multinomial(torch.stack([p, 1 - p]), 1)
RelaxedBernoulli(0.5, p).rsample()"""
rows = {}
for program in programs.splitlines():
    torch.manual_seed(0)
    p = torch.tensor(0.5, requires_grad=True)
    y = eval(program)
    if y.requires_grad:
        y.backward()
    rows[program] = (y.requires_grad, p.grad)
print(*(f"{name}: {row}" for name, row in rows.items()), sep="\n")
