import torch

programs = """x.max()
x.amax()
x.max(0).values
x.median()
x.sort().values[0]
x.topk(2).values
x.cummax(0).values
x[1:]
x[[0, 0, 3]]
x[x > 2]
x.gather(0, torch.tensor([3, 3]))
torch.where(x > 2, x, 0.0)
torch.maximum(x, torch.full((4,), 3.0))
x.masked_fill(x > 2, 9.0)
x.clamp(2, 3)"""
rows = {}
for program in programs.splitlines():
    x = torch.tensor([1.0, 3.0, 3.0, 2.0], requires_grad=True)
    eval(program).sum().backward()
    rows[program] = x.grad.tolist()
print(*(f"{name}: {row}" for name, row in rows.items()), sep="\n")
