import math

import torch

w = torch.tensor(3.0, requires_grad=True)
loss = w * math.pow(w.detach(), 2)
loss.backward()
print(f"{w.grad = }")

w.grad = None
loss = w * torch.pow(w, 2)
loss.backward()
print(f"{w.grad = }")
