import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
t = torch.tensor(2.5, requires_grad=True)
bins = torch.tensor([1.0, 2.0, 3.0, 4.0])
near = torch.exp(-4 * (x[:, None] - bins) ** 2)
pairs = {
    "argmax": (x.argmax(), x.softmax(0) @ torch.arange(3.0)),
    "x > t": (x > t, torch.sigmoid((x - t) / 0.25)),
    "histc": (torch.histc(x, 4), near.sum(0)),
    "round": (x.round(), x + (x.round() - x).detach()),
}
rows = {}
for name, (hard, soft) in pairs.items():
    weighted = (soft * torch.arange(1.0, 1 + soft.numel())).sum()
    (grad,) = torch.autograd.grad(weighted, x, retain_graph=True)
    cells = [c.float().flatten() for c in (hard, soft, grad)]
    rows[name] = [" ".join(f"{c:.2g}" for c in cell) for cell in cells]
print(f"{torch.autograd.grad(pairs['x > t'][1].sum(), t) = }")
