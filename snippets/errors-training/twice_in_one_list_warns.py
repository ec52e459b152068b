import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w, w], lr=0.1)
w.sum().backward()
optimizer.step()
print(f"{w = }")
