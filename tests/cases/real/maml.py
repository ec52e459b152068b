import torch
from torch.func import functional_call
from torch import nn
import torch.nn.functional as F


def forward(x, weights):
    h = F.relu(F.linear(x, weights[0], weights[1]))
    return F.linear(h, weights[2], weights[3])


def inner_loop(weights, x, y, steps=2, lr=0.1):
    fast = weights
    for _ in range(steps):
        loss = F.mse_loss(forward(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - lr * g for w, g in zip(fast, grads)]
    return fast


torch.manual_seed(0)
weights = [torch.randn(5, 1), torch.zeros(5), torch.randn(1, 5), torch.zeros(1)]
weights = [w.requires_grad_() for w in weights]
meta_optimizer = torch.optim.SGD(weights, lr=0.01)
for iteration in range(2):
    meta_loss = 0.0
    for task in range(2):
        phase = torch.rand(1)
        x = torch.rand(6, 1)
        y = torch.sin(x + phase)
        fast = inner_loop(weights, x[:3], y[:3])
        meta_loss = meta_loss + F.mse_loss(forward(x[3:], fast), y[3:])
    meta_optimizer.zero_grad()
    meta_loss.backward()
    meta_optimizer.step()
    print(f"{iteration} {meta_loss.item():.3f}")
net = nn.Linear(1, 1)
params = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
out = functional_call(net, params, (x,))
out.sum().backward()
print(params["weight"].grad.shape, net.weight.grad)
