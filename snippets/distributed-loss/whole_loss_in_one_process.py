import torch

w = torch.tensor(3.0, requires_grad=True)
loss = (w * 1) * (w * 2)
loss.backward()
print(f"{w.grad = }")
