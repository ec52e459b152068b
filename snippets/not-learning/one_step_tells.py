from types import SimpleNamespace

import torch
from torch import nn

names = "fine", "frozen", "unused", "cut", "dead", "forgotten"
model = nn.ParameterDict([(name, torch.ones(2)) for name in names])
model.frozen.requires_grad_(False)
some = [p for name, p in model.items() if name != "forgotten"]
optimizer = torch.optim.SGD(some, lr=0.5)

before = {name: p.clone() for name, p in model.named_parameters()}
used = model.fine + model.frozen + model.cut.detach()
used = used + (model.dead - 9).relu() + model.forgotten
loss = used.sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()

given = [id(p) for g in optimizer.param_groups for p in g["params"]]
rows = {
    name: SimpleNamespace(
        requires_grad=p.requires_grad,
        given=id(p) in given,
        grad=None if p.grad is None else p.grad.abs().max().item(),
        moved=not torch.equal(p, before[name]),
    )
    for name, p in model.named_parameters()
}
print([name for name, row in rows.items() if not row.moved])
