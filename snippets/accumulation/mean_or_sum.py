import torch

x = torch.ones(4)  # values: 1, 2, 4, 8, 16
w = torch.tensor(3.0, requires_grad=True)
loss = ((w * x) ** 2).mean()  # instead of .mean(): .sum()
loss.backward()
print(f"{loss = }")
print(f"{w.grad = }")
