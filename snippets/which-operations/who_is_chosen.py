import torch

three = torch.tensor(3.0)

programs = """x.max()
x.max(0).values
x.median()
x.topk(2).values
x[x > 2]
torch.where(x > 2, x, 0)
torch.maximum(x, three)
x.clamp(2, 3)"""
rows = {}
for program in programs.splitlines():
    x = torch.tensor([1.0, 3.0, 3.0, 2.0], requires_grad=True)
    eval(program).sum().backward()
    rows[program] = " ".join(f"{g:g}" for g in x.grad)
print("shared:", [name for name in rows if "0.5" in rows[name]])
