import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01, fused=True)
h = w * 3
first = h**2
second = h * w

first.backward(retain_graph=True)
optimizer.step()
print(f"{w = }")
print(f"{w._version = }")
print(f"{torch.autograd.grad(second, w) = }")
