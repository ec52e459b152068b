import torch

holds = []
for x in (2.0, -2.0):
    w = torch.tensor(x**2, requires_grad=True)
    w.sqrt().backward()
    print(f"{x = } {w.grad = } {1 / (2 * x) = }")
    holds.append(w.grad.item() == 1 / (2 * x))
print(f"{holds = }")
