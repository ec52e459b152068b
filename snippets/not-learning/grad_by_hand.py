import torch

w = torch.tensor(5.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
loss = w**2
w.grad = torch.tensor(4.0)
optimizer.step()
print(f"{w = }")
