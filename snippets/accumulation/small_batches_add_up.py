import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0])
w = torch.tensor(1.0, requires_grad=True)
((w * x) ** 2).mean().backward()
print(f"{w.grad = }")

for scale in (1, 2):
    w.grad = None
    for part in x.chunk(2):
        loss = ((w * part) ** 2).mean() / scale
        loss.backward()
    print(f"{scale = }, {w.grad = }")
