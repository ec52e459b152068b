import torch

w = torch.ones(2, requires_grad=True) * 0.5
optimizer = torch.optim.SGD([w.detach()], lr=0.25)
w.sum().backward()
optimizer.step()
print(f"{w.tolist() = }")
