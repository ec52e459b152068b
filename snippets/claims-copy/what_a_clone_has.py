import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
c = y.clone()
print(f"{c.requires_grad = }")
[(step, _)] = c.grad_fn.next_functions
print(f"{step is y.grad_fn = }")
c.sum().backward()
print(f"{x.grad = }")
holds = [c.requires_grad == y.requires_grad, x.grad is not None]
print(f"{holds = }")
