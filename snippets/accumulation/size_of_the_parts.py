import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0])
w = torch.tensor(1.0, requires_grad=True)
parts = x.split(4)  # values: 1, 2, 3, 4
for part in parts:
    loss = ((w * part) ** 2).mean()
    (loss / len(parts)).backward()  # or: (loss * len(part) / len(x)).backward() | loss.backward()
print(f"{[len(part) for part in parts] = }")
print(f"{w.grad = }")
