import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

torch.manual_seed(0)


def count(frozen=0, input_grad=False):
    net = nn.Sequential(*(nn.Linear(8, 8) for _ in range(3)))
    for layer in net[:frozen]:
        layer.requires_grad_(False)
    x = torch.ones(4, 8, requires_grad=input_grad)
    with FlopCounterMode(display=False) as forward:
        y = net(x)
    with FlopCounterMode(display=False) as backward:
        y.sum().backward()
    return forward.get_total_flops(), backward.get_total_flops()


costs = {
    "train all layers": count(),
    "input requires grad, too": count(input_grad=True),
    "first layer frozen": count(frozen=1),
    "first two frozen": count(frozen=2),
    "all frozen, input only": count(frozen=3, input_grad=True),
}
for name, (forward, backward) in costs.items():
    ratio = f"{backward / forward:.2f}"
    print(f"{name:<25}{forward:>5}{backward:>6}{ratio:>6}")
