import torch

x = torch.tensor(3.0, requires_grad=True)
constant = torch.tensor(2.0)
unused = torch.tensor(1.0, requires_grad=True)
(x * constant).backward()
leaves = [x, constant, unused]
print(f"{[t.is_leaf for t in leaves] = }")
print(f"{[t.grad for t in leaves] = }")
holds = [t.grad is not None for t in leaves]
print(f"{holds = }")
