import torch

w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
for _ in range(2):
    scheduler.step()
    print(f"{optimizer.param_groups[0]['lr'] = }")
    optimizer.zero_grad()
    (w * 2).backward()
    optimizer.step()
