import torch
from torch import nn

torch.manual_seed(0)


def gradient(layer):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    layer(x).square().sum().backward()
    return x.grad


holds = []
for layer in (nn.Linear(2, 1), nn.Dropout(), nn.BatchNorm1d(2)):
    in_training_mode = gradient(layer)
    in_eval_mode = gradient(layer.eval())
    same = torch.allclose(in_training_mode, in_eval_mode)
    print(f"{type(layer).__name__}: {same = }")
    holds.append(not same)
print(f"{holds = }")
