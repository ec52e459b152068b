import torch

x = torch.tensor([1.0, 2.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.25)
for i in range(6):
    scaled = (w * x).detach()
    loss = ((scaled + b - 2 * x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{i}: {loss.item():.4f}")
