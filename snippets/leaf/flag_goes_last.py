import torch

w = (torch.ones(3) * 0.01).requires_grad_()  # or:
# | torch.ones(3, requires_grad=True) * 0.01 raises ValueError
# | torch.nn.Parameter(torch.ones(3) * 0.01)
# | torch.ones(3) * 0.01 raises RuntimeError
print(f"{w = }")
optimizer = torch.optim.SGD([w], lr=0.1)
w.sum().backward()
optimizer.step()
print(f"{w = }")
