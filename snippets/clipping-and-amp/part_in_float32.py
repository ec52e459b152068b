import torch

x = torch.ones(1, 1)
w = torch.full((1, 1), 300.0, requires_grad=True)
with torch.autocast("cpu", dtype=torch.float16):
    h = x @ w
    too_large = (h * h).sum()
    with torch.autocast("cpu", enabled=False):
        still_half = (h * h).sum()
        fits = (h.float() * h.float()).sum()
print(f"{too_large.item() = }")
print(f"{still_half.item() = }")
print(f"{fits.item() = }")
fits.backward()
print(f"{w.grad.item() = }")
