import torch

shared = torch.tensor(1.0, requires_grad=True)
a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
groups = [
    {"params": [shared, a], "lr": 0.1},
    {"params": [b], "lr": 0.01},
]
optimizer = torch.optim.SGD(groups)
loss = shared * a + shared * b
optimizer.zero_grad()
loss.backward()
optimizer.step()
print(f"{shared.item() = :.1f} {a.item() = :.1f} {b.item() = :.2f}")
