import torch

w = (torch.ones(3) * 0.01).requires_grad_()
print(f"{w = }")
optimizer = torch.optim.SGD([w], lr=0.1)
w.sum().backward()
optimizer.step()
print(f"{w = }")
