import torch

x = torch.tensor([1.0, 2.0])
y = 0.5 * x
for lr in (0.1, 1.0):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    values = []
    for _ in range(4):
        out = (w * x).relu()
        optimizer.zero_grad()
        (out - y).square().mean().backward()
        optimizer.step()
        values.append(round(w.item(), 3))
    print(f"{lr = }, {values = }, {w.grad = }")
