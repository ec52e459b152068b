import torch

w = 0.5  # values: 0.5, 0.75, 1.0, 1.25, 1.5
start = torch.ones((), requires_grad=True)
h = start
for step in range(16):  # values: 1, 4, 16
    h = w * h
h.backward()
print(f"{start.grad.item() = :.5f}")
