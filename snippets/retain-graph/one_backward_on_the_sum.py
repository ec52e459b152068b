import torch

w = torch.tensor(3.0, requires_grad=True)
shared = w**2
loss1 = 5 * shared
loss2 = shared + 7
(loss1 + loss2).backward()
print(f"{w.grad = }")
