import torch

three = torch.tensor(3.0)
last = torch.tensor([3, 3])

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
x.gather(0, last)
torch.where(x > 2, x, 0)
torch.maximum(x, three)
x.masked_fill(x > 2, 0)
x.clamp(2, 3)"""
rows = {}
for program in programs.splitlines():
    x = torch.tensor([1.0, 3.0, 3.0, 2.0], requires_grad=True)
    eval(program).sum().backward()
    rows[program] = " ".join(f"{g:g}" for g in x.grad)
print("shared:", [name for name in rows if "0.5" in rows[name]])
