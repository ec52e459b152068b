import torch
from torch.nn.functional import mse_loss

x = torch.ones(2, 2)
w = torch.ones(2, 2, requires_grad=True)
with torch.autocast("cpu", dtype=torch.bfloat16):
    h = x @ w
    rows = {"x": x, "w": w, "h = x @ w": h, "h.relu()": h.relu()}
    rows |= {"h + x": h + x, "h.mean()": h.mean()}
    loss = rows["mse_loss(h, x)"] = mse_loss(h, x)
loss.backward()
print(f"{w.dtype = }")
print(f"{w.grad.dtype = }")
