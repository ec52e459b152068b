import torch
from torch.linalg import vector_norm
from torch.nn.functional import logsigmoid

tiny, edge = 1e-12, 1 - 1e-6
pairs = """0: (x**2).sqrt() | vector_norm(x)
-200: x.sigmoid().log() | logsigmoid(x)
0: x * x.log() | x * x.clamp(tiny).log()
2: x.acos() | x.clamp(-edge, edge).acos()"""
rows = {}
for line in pairs.splitlines():
    at, pair = line.split(": ", 1)
    for program in pair.split(" | "):
        x = torch.tensor(float(at), requires_grad=True)
        y = eval(program)
        y.backward()
        rows[program] = (f"{y:.4g}", f"{x.grad:.4g}", at)
print("nan:", [name for name in rows if rows[name][1] == "nan"])
