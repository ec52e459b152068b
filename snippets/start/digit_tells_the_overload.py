import torch

x = torch.tensor(5.0, requires_grad=True)
q = torch.tensor(3.0, requires_grad=True)
m = torch.ones(2, 2, requires_grad=True)
results = {
    "x**3": x**3,
    "x**q": x**q,
    "2**x": 2**x,
    "(x**3) ** 2": (x**3) ** 2,
    "m.sum()": m.sum(),
    "m.sum(0)": m.sum(0),
}
for code, t in results.items():
    print(f"{code:12}{t.grad_fn.name()}")
