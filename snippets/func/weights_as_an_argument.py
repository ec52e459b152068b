import torch
from torch import nn
from torch.func import functional_call, grad_and_value

torch.manual_seed(0)
net = nn.Linear(2, 1)
weights = {"weight": torch.tensor([[1.0, 2.0]]),
           "bias": torch.zeros(1)}
net.load_state_dict(weights)


def loss(weights, x, y):
    out = functional_call(net, weights, (x,))
    return (out - y).square().mean()


x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
y = torch.tensor([[2.0], [4.0]])
grads, value = grad_and_value(loss)(weights, x, y)
print(f"{grads = }")

loss(dict(net.named_parameters()), x, y).backward()
print(f"{net.weight.grad = }\n{net.bias.grad = }")
