import torch

x = torch.tensor([[1.0, 2.0]], requires_grad=True)
W = torch.tensor([[3.0], [4.0]], requires_grad=True)
y = x @ W
v = torch.tensor([[10.0]])
y.backward(v)
print(f"{torch.equal(x.grad, v @ W.T) = }")
print(f"{torch.equal(W.grad, x.T @ v) = }")
