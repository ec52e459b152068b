import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
models = [nn.Linear(2, 1) for _ in range(3)]  # or:
# | [nn.Linear(2, 1)] * 3
weights, buffers = stack_module_state(models)
print({name: w.shape for name, w in weights.items()})


def run(weights, x):
    return functional_call(models[0], weights, (x,))


x = torch.ones(4, 2)
out = vmap(run, in_dims=(0, None))(weights, x)
print(f"{out.shape = }\n{out[:, 0, 0] = }")
print([torch.allclose(o, net(x)) for o, net in zip(out, models)])
out.sum().backward()
print(f"{weights['bias'].grad.flatten() = }")
print(f"{models[0].bias.grad = }")
