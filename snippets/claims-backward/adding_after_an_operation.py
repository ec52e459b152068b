import torch

fails = {}
for name in ("square", "sin", "log", "exp", "sqrt", "tanh"):
    x = torch.tensor(4.0, requires_grad=True)
    y = getattr(x, name)()
    y += 1  # or: y = y + 1
    try:
        y.backward()
        fails[name] = False
    except RuntimeError:
        fails[name] = True
print(f"{fails = }")
holds = list(fails.values())
print(f"{holds = }")
