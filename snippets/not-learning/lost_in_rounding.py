import torch

for dtype in (torch.float32, torch.bfloat16):
    w = torch.ones(1, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.001)
    for _ in range(100):
        optimizer.zero_grad()
        w.sum().backward()
        optimizer.step()
    print(f"{dtype}: {w.item():.3f}, {w.grad.item()}")
