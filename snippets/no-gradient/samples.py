import torch
from torch.distributions import Bernoulli, Normal

programs = """Normal(p, 1.0).sample()
Normal(p, 1.0).rsample()
torch.normal(p, 1.0)
p + torch.randn(())
Bernoulli(p).sample()
torch.bernoulli(p)"""
rows = {}
for program in programs.splitlines():
    torch.manual_seed(0)
    p = torch.tensor(0.5, requires_grad=True)
    y = eval(program)
    if y.requires_grad:
        y.backward()
    rows[program] = (y.requires_grad, p.grad)
print("path:", [name for name in rows if rows[name][0]])
