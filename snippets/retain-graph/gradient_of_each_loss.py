import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
shared = w**2
loss1 = 5 * shared.sum()
loss2 = shared[0] - shared[1]
(g1,) = torch.autograd.grad(loss1, w, retain_graph=True)
(g2,) = torch.autograd.grad(loss2, w)
print(f"{g1 = }")
print(f"{g2 = }")
print(f"{torch.dot(g1, g2) = }")
