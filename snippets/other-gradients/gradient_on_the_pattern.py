import torch

S = torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse().requires_grad_()
D = S.detach().to_dense().requires_grad_()
x = torch.tensor([[1.0], [10.0]])
torch.sparse.mm(S, x).sum().backward()
torch.mm(D, x).sum().backward()
print(f"{S.grad.to_dense() = }")
print(f"{D.grad = }")
