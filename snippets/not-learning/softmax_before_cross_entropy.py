import torch
from torch import nn

target = torch.tensor([0])
rows = {}
for score in (0.0, 2.0, 20.0):
    scores = torch.tensor([[score, 0.0, 0.0]], requires_grad=True)
    for name, out in ("scores", scores), ("softmax", scores.softmax(1)):
        loss = nn.functional.cross_entropy(out, target)
        (grad,) = torch.autograd.grad(loss, scores, retain_graph=True)
        rows[f"{name}, {score:.0f}"] = (loss.item(), grad[0, 0].item())
for name, (loss, grad) in rows.items():
    print(f"{name}: {loss = :.4f}, {grad = :.4f}")
