import torch

holds = []
for path in ("only detached", "both"):
    x = torch.tensor(3.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    y = w * x.detach()
    if path == "both":
        y = y * x
    y.backward()
    print(f"{path}: {x.grad = }, {w.grad = }")
    holds.append(x.grad is None)
print(f"{holds = }")
