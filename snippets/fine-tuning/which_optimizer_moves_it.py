import torch

w = torch.tensor([1.0, 1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)  # or:
# | torch.optim.SGD([w], lr=0.1, weight_decay=0.5)
# | torch.optim.SGD([w], lr=0.1, momentum=0.9)
# | torch.optim.Adam([w], lr=0.1)
for factor in (1.0, 0.0):  # or: (0.0, 0.0)
    optimizer.zero_grad()
    (2 * w).sum().backward()
    w.grad[0] *= factor
    optimizer.step()
    print(f"{w.grad[0].item() = }, {w[0].item() = :.2f}")
