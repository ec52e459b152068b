# raises: RuntimeError
import torch

w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
h = torch.tensor(1.0)
for step in range(3):
    print(f"{step = }, {w._version = }")
    h = w * h + 1
    h.backward(retain_graph=True)
    optimizer.step()
