import torch

w = torch.tensor(0.0, requires_grad=True)
for data in [1.0, 2.0]:
    scale = w.exp()
    loss = scale * data
    loss.backward()
    print(f"{data = }, {w.grad = }")
