import torch

programs = """0 x.sqrt()
0 (x**2).sqrt()
-8 x ** (1 / 3)
0 x / x
0 x.log()
0 torch.xlogy(x, x)
1 x.acos()
100 x.exp()"""
rows = {}
for line in programs.splitlines():
    at, program = line.split(" ", 1)
    x = torch.tensor(float(at), requires_grad=True)
    y = eval(program)
    y.backward()
    rows[f"{program}, x = {at}"] = (f"{y:.4g}", f"{x.grad:.4g}")
print("nan:", [name for name in rows if rows[name][1] == "nan"])
