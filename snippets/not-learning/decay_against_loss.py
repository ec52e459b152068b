import torch

for scale in (1.0, 0.001):
    w = torch.zeros(1, requires_grad=True)
    adam = torch.optim.Adam([w], lr=0.1, weight_decay=0.01)
    for _ in range(500):
        adam.zero_grad()
        loss = scale * (w - 3.0) ** 2
        loss.sum().backward()
        adam.step()
    print(f"{scale = :<6} w = {w.item():.2f}")
