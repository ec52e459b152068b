import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
before = y.grad_fn
y += 1
[(step, _), *_] = y.grad_fn.next_functions
print(f"{y.grad_fn.name() = }")
print(f"{step.name() = }")
y.backward()
print(f"{x.grad = }")
holds = step is not before
print(f"{holds = }")
