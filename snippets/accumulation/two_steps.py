import torch

w = torch.tensor(1.0, requires_grad=True)
sgd = torch.optim.SGD([w], lr=0.25)  # values: 0.1, 0.25, 0.5, 0.75, 1.0, 1.25
for _ in range(2):
    sgd.zero_grad()  # or: nothing
    (w**2).backward()
    sgd.step()
    print(f"{w.grad.item() = :.2f}, {w.item() = :.2f}")
