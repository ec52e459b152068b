import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
loss = (w.detach() * 3 - 1) ** 2
loss.requires_grad = True
loss.backward()
optimizer.step()
print(f"{loss.grad = }")
print(f"{w.grad = }")
print(f"{w = }")
