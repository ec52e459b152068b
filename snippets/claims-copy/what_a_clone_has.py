import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
c = y.clone()
with torch.no_grad():
    d = y.clone()
print(f"{c.requires_grad = }")
print(f"{d.requires_grad = }")
[(step, _)] = c.grad_fn.next_functions
copied = step is not y.grad_fn
print(f"{copied = }")
holds = [c.requires_grad, d.requires_grad, copied]
print(f"{holds = }")
