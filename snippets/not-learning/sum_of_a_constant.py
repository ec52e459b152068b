import torch
from torch import nn

x = torch.tensor([[1.0, 2.0, 4.0]], requires_grad=True)
layers = {"softmax": nn.Softmax(dim=1), "layer norm": nn.LayerNorm(3)}
weights = torch.tensor([1.0, 2.0, 3.0])
for name, layer in layers.items():
    losses = layer(x).sum(), (layer(x) * weights).sum()
    grads = [torch.autograd.grad(loss, x)[0] for loss in losses]
    print(f"{name:12}", *[f"{g.norm():.4f}" for g in grads])
