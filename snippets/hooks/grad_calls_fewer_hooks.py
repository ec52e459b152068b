import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = 3 * y
calls = []
y.register_hook(lambda g: calls.append("y"))
y.grad_fn.register_prehook(lambda g_out: calls.append("node"))
x.register_hook(lambda g: calls.append("x"))
x.register_post_accumulate_grad_hook(lambda x: calls.append("x, after"))


def calls_of(run):
    calls.clear()
    run()
    return " | ".join(calls)


grad = torch.autograd.grad
rows = {
    "grad(z, y)": calls_of(lambda: grad(z, y, retain_graph=True)),
    "grad(z, x)": calls_of(lambda: grad(z, x, retain_graph=True)),
    "z.backward()": calls_of(z.backward),
}
for name, row in rows.items():
    print(f"{name:12} {row}")
