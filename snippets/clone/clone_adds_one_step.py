import torch

plain = torch.tensor([0.0, 1.0])
x = torch.tensor([0.0, 1.0], requires_grad=True)
print(f"{plain.clone() = }")
print(f"{x.clone() = }")
with torch.no_grad():
    print(f"{x.clone() = }")

y = x * 3
c = y.clone()
step = c.grad_fn
print(f"{step.name() = }")
print(f"{step.next_functions[0][0] is y.grad_fn = }")
