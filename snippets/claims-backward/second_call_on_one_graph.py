import torch

x = torch.tensor(2.0, requires_grad=True)
fails = {}
for z in (x + 1, -x, x * 3, x**2):
    z.backward()  # or: z.backward(retain_graph=True)
    try:
        z.backward()
        fails[z.grad_fn.name()] = False
    except RuntimeError:
        fails[z.grad_fn.name()] = True
print(f"{fails = }")
holds = list(fails.values())
print(f"{holds = }")
