import torch
from torch import inf

mask = torch.tensor([[True, True], [False, False]])
bias = torch.zeros(2, 2).masked_fill(~mask, -inf)
low = torch.finfo(torch.float32).min
some = mask.any(1, keepdim=True)
ways = {
    "-inf": lambda s: (s + bias).softmax(1),
    "nan_to_num": lambda s: (s + bias).softmax(1).nan_to_num(),
    "masked_fill": lambda s: s.masked_fill(~mask, -inf).softmax(1),
    "finfo.min": lambda s: s.masked_fill(~mask, low).softmax(1),
    "where": lambda s: torch.where(some, s + bias, s).softmax(1) * some,
}
rows = {}
for name, way in ways.items():
    s = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    v = torch.ones(2, requires_grad=True)
    weights = way(s)
    (weights @ v).sum().backward()
    cells = weights[1].detach(), s.grad[1], v.grad
    rows[name] = [" ".join(f"{c:.2f}" for c in cell) for cell in cells]
print("no nan:", [n for n in rows if "nan" not in str(rows[n])])
