import torch
from torch import inf, linalg
from torch.nn.functional import cosine_similarity, normalize

programs = """0, 0: x.norm()
0, 0: (x**2).sum().sqrt()
0, 0: (x / x.norm())[0]
0, 0: normalize(x, dim=0)[0]
0, 0: cosine_similarity(x, x + 1, 0)
3, 3: x.std()
3, 3: x.var().sqrt()
3, 3: x[:0].mean()
-inf, 0: x.softmax(0)[0]
-inf, 0: x.log_softmax(0)[1]
-inf, -inf: x.softmax(0).sum()
-inf, -inf: x.logsumexp(0)
inf, 0: x.softmax(0)[1]
3, 3: linalg.eigh(x.diag())[0].sum()
3, 3: linalg.eigh(x.diag())[0][1]
3, 3: linalg.eigh(x.diag())[1][0, 0]
2, 0, 0: linalg.svd(x.diag())[0][0, 0]"""
rows = {}
for line in programs.splitlines():
    at, program = line.split(": ", 1)
    x = torch.tensor(eval(at), dtype=torch.float, requires_grad=True)
    y = eval(program)
    y.backward()
    grad = " ".join(f"{g:.2g}" for g in x.grad)
    rows[program] = (f"{y:.4g}", grad, at)
print("nan:", [name for name in rows if "nan" in rows[name][1]])
