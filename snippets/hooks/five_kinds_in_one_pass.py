import torch

calls = []
x = torch.tensor(2.0, requires_grad=True)
y = x**2


def note(name):
    return lambda *got: calls.append((name, *got))


x.register_post_accumulate_grad_hook(note("x, after"))
x.register_hook(note("x"))
y.grad_fn.register_hook(note("node, after"))
y.grad_fn.register_prehook(note("node, before"))
y.register_hook(note("y"))
(3 * y).backward()
for call in calls:
    print(*call)
