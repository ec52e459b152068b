import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
h = w * 3
first = h**2
second = h * w

(first + second).backward()
print(f"{w.grad = }")
optimizer.step()
print(f"{w = }")
