import torch

holds = []
for option in ("retain_graph", "create_graph"):
    x = torch.tensor(3.0, requires_grad=True)
    (g,) = torch.autograd.grad(x**3, x, **{option: True})
    print(f"{option}: {g = }")
    holds.append(g.requires_grad)
holds = holds[0]
print(f"{holds = }")
