import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(*(nn.Linear(1, 1, bias=False) for _ in range(2)))
for weight in net.parameters():
    nn.init.ones_(weight)
    weight.optimizer = torch.optim.SGD([weight], lr=0.5)


def step(weight):
    weight.optimizer.step()
    weight.optimizer.zero_grad()


for weight in net.parameters():
    weight.register_post_accumulate_grad_hook(step)

net(torch.ones(1, 1)).sum().backward()
print([weight.item() for weight in net.parameters()])
print([weight.grad for weight in net.parameters()])
