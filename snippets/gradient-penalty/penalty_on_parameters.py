import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
x, target = torch.tensor([3.0, 1.0]), torch.tensor(4.0)

loss = (w @ x - target) ** 2
grads = torch.autograd.grad(loss, [w], create_graph=True)
penalty = sum(g.square().sum() for g in grads)
(loss + 0.1 * penalty).backward()
print(f"{grads = }\n{penalty.item() = }\n{w.grad = }")
