import torch
from torch import nn


def show(module, g_in, g_out):
    print(g_in, g_out)


relu = nn.ReLU()
first = relu.register_full_backward_hook(show)
relu.register_full_backward_hook(show)
first.remove()
x = torch.tensor([-1.0, 2.0], requires_grad=True)
relu(x).sum().backward()
