import torch
from torch import inf, linalg
from torch.nn.functional import normalize

programs = """0, 0: x.norm()
0, 0: (x**2).sum().sqrt()
0, 0: normalize(x, dim=0)[0]
3, 3: x.std()
3, 3: x.var().sqrt()
-inf, -inf: x.softmax(0).sum()
inf, 0: x.softmax(0)[1]
3, 3: linalg.eigh(x.diag())[1][0, 0]"""
rows = {}
for line in programs.splitlines():
    at, program = line.split(": ", 1)
    x = torch.tensor(eval(at), dtype=torch.float, requires_grad=True)
    y = eval(program)
    y.backward()
    grad = " ".join(f"{g:.2g}" for g in x.grad)
    rows[program] = (f"{y:.4g}", grad, at)
print("nan:", [name for name in rows if "nan" in rows[name][1]])
