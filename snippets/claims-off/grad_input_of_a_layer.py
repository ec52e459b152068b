import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(2, 3)
seen = []
layer.register_full_backward_hook(
    lambda module, grad_input, grad_output: seen.extend(grad_input)
)
x = torch.ones(1, 2, requires_grad=True)
layer(x).square().sum().backward()

(grad_input,) = seen
print(f"{grad_input.shape = }")
same = [torch.equal(grad_input, w.grad) for w in layer.parameters()]
holds = any(same)
print(f"{torch.equal(grad_input, x.grad) = }")
print(f"{holds = }")
