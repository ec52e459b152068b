import torch

table = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
words = torch.tensor([2, 0, 2])
table[words].sum().backward()
print(f"{table.grad = }")
