# raises: RuntimeError
import torch

x = torch.tensor([2.0, 3.0])
w = torch.tensor([1.0, 4.0], requires_grad=True)
with torch.no_grad():
    in_no_grad = (w * x).sum()
losses = {
    "(w * x).sum()": (w * x).sum(),
    "x.sum()": x.sum(),
    "in_no_grad": in_no_grad,
    "(w.detach() * x).sum()": (w.detach() * x).sum(),
    "torch.tensor(w.sum().item())": torch.tensor(w.sum().item()),
    "(w > x).float().sum()": (w > x).float().sum(),
}
for loss in losses.values():
    print(f"{loss = }")
loss.backward()
