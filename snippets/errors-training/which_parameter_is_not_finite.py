import torch

named = {
    "scale": torch.ones(1, requires_grad=True),
    "radius": torch.zeros(1, requires_grad=True),
}
loss = (3 * named["scale"] + named["radius"].sqrt()).sum()
loss.backward()
for name, p in named.items():
    print(f"{name}: {p.grad.isfinite().all().item()}")
