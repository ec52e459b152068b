import torch

w = (torch.ones(2) * 0.5).requires_grad_()
optimizer = torch.optim.SGD([w], lr=0.25)
w.sum().backward()
optimizer.step()
print(f"{w.tolist() = }")
