import torch
from torch.nn import functional as F

pairs = """0: (x**2).sqrt() | torch.linalg.vector_norm(x)
-200: x.sigmoid().log() | F.logsigmoid(x)
200: (1 + x.exp()).log() | F.softplus(x)
0: x * x.log() | x * x.clamp(min=1e-12).log()
2: x.acos() | x.clamp(-1 + 1e-6, 1 - 1e-6).acos()"""
rows = {}
for line in pairs.splitlines():
    at, pair = line.split(": ", 1)
    for program in pair.split(" | "):
        x = torch.tensor(float(at), requires_grad=True)
        y = eval(program)
        y.backward()
        rows[f"{program}, x = {at}"] = (f"{y:.4g}", f"{x.grad:.4g}")
print("nan:", [name for name in rows if rows[name][1] == "nan"])
