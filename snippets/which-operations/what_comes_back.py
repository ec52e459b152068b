import torch

programs = """x * 2
x.half()
x.round()
x // 1
x > 0
x.argmax()
x.long().float()
torch.histc(x, 3)"""
rows = {}
for program in programs.splitlines():
    x = torch.tensor([0.25, 1.75, -2.5], requires_grad=True)
    y = eval(program)
    grad = None
    if y.requires_grad:
        try:
            y.sum().backward()
            grad = " ".join(f"{g:g}" for g in x.grad)
        except RuntimeError as error:
            grad = type(error).__name__
    rows[program] = (y.requires_grad, grad)
print("no path:", [name for name in rows if not rows[name][0]])
