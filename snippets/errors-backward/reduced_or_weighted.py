import torch

x = torch.tensor([1.0, 2.0, 3.0])
w = torch.tensor(2.0, requires_grad=True)
loss = w * x
loss.mean().backward()
print(f"{w.grad = }")

w.grad = None
loss = w * x
loss.backward(torch.tensor([1.0, 10.0, 100.0]))
print(f"{w.grad = }")
