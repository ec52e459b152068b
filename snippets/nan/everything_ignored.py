import torch
from torch.nn.functional import cross_entropy

scores = torch.tensor([[1.0, 2.0]], requires_grad=True)
target = torch.tensor([-100])
loss = cross_entropy(scores, target)
loss.backward()
print(f"{loss.item() = }")
print(f"{scores.grad = }")
