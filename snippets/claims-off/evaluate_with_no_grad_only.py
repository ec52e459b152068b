import torch
from torch import nn

torch.manual_seed(0)
x = torch.tensor([[1.0], [3.0]])
holds = []
for layer in (nn.Linear(1, 1), nn.Dropout(), nn.BatchNorm1d(1)):
    with torch.no_grad():
        only_no_grad = layer(x)
        in_eval_mode = layer.eval()(x)
    holds.append(torch.equal(only_no_grad, in_eval_mode))
    print(type(layer).__name__, holds[-1])
print(f"{layer.running_mean = }")
print(f"{holds = }")
