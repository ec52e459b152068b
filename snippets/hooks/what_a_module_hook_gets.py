import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 1, bias=False)
nn.init.constant_(layer.weight, 3.0)


def show(module, grad_input, grad_output):
    print(f"{grad_input = }")
    print(f"{grad_output = }")
    print(f"{module.weight.grad = }")


layer.register_full_backward_hook(show)
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
layer(x).sum().backward()

print("the input requires no grad:")
layer.weight.grad = None
layer(torch.tensor([[1.0, 2.0]])).sum().backward()
