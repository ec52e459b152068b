import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
h = w * 3
first = h**2
second = h * w

(first + second).backward(); optimizer.step()  # or:
# | first.backward(retain_graph=True); second.backward(); optimizer.step()
# | first.backward(retain_graph=True); optimizer.step(); second.backward() raises RuntimeError
# | first.backward(); optimizer.step(); (w * 3 * w).backward()
print(f"{w.grad = }")
print(f"{w = }")
