import torch

programs = """0 x.sqrt()
0 (x**2).sqrt()
0 x ** (1 / 3)
-8 x ** (1 / 3)
0 1 / x
0 x / x
0 x.log()
0 x * x.log()
0 torch.xlogy(x, x)
1 x.acos()
0 torch.hypot(x, x)
0 torch.atan2(x, x)
0 x.abs()
100 x.exp()
100 x.exp() * 0
100 x.exp().log()
20 x.tanh().atanh()"""
rows = {}
for line in programs.splitlines():
    at, program = line.split(" ", 1)
    x = torch.tensor(float(at), requires_grad=True)
    y = eval(program)
    y.backward()
    rows[f"{program}, x = {at}"] = (f"{y:.4g}", f"{x.grad:.4g}")
print("nan:", [name for name in rows if rows[name][1] == "nan"])
