import torch

torch.manual_seed(0)
x = torch.ones(1, 1)
model = torch.nn.Linear(1, 1, bias=False).half()
for p in model.parameters():
    if p.requires_grad:
        p.data = p.data.float()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
with torch.autocast("cpu", dtype=torch.float16):
    loss = 2 * model(x).float().sum()
scaler.scale(loss).backward()
scaler.step(optimizer)
print(f"{model.weight.dtype = }")
print(f"{model.weight.grad = }")
