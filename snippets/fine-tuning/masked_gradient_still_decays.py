import torch

w = torch.tensor([1.0, 1.0], requires_grad=True)
mask = torch.tensor([0.0, 1.0])
w.register_hook(lambda grad: grad * mask)
optimizer = torch.optim.SGD([w], lr=0.1, weight_decay=0.5)
(2 * w).sum().backward()
optimizer.step()
print(f"{w.grad = }")
print(f"{w = }")
