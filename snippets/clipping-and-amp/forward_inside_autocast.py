import torch

x = torch.ones(1, 1)
w = torch.full((1, 1), 8.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.125)
losses = []
for step in range(4):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = (x @ w).square().sum()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(f"{losses = }")
print(f"{w.item() = }")
