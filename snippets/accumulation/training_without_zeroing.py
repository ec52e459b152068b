import torch

for zero in (True, False):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.25)
    steps = []
    for _ in range(4):
        if zero:
            optimizer.zero_grad()
        loss = w**2
        loss.backward()
        optimizer.step()
        steps.append(w.item())
    print(f"{zero = }, {steps = }")
