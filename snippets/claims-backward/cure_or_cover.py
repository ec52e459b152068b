import torch

w = torch.tensor(3.0, requires_grad=True)
shared = w**2
shared.backward(retain_graph=True)
(10 * shared).backward()
print(f"{w.grad = }")
separate = w.grad.item() == 11 * 2 * 3

w.grad = None
total = 0
for item in (1.0, 2.0, 4.0):
    total = total + w * item
    total.backward(retain_graph=True)
print(f"{w.grad = }")
running = w.grad.item() == 1 + 2 + 4
holds = [separate, running]
print(f"{holds = }")
