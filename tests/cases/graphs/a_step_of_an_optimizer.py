import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = (w - 1) ** 2
    loss.backward()
    optimizer.step()
