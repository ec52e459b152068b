import torch

for each in ("batch", "epoch"):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3)
    for epoch in range(3):
        for batch in range(20):
            optimizer.zero_grad()
            (w - 3).square().backward()
            optimizer.step()
            if each == "batch":
                scheduler.step()
        if each == "epoch":
            scheduler.step()
    print(f"{each}: {w.item():.4f} {scheduler.get_last_lr()[0]:.0e}")
