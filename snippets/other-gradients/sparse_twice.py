import torch

S = torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse().requires_grad_()
w = torch.tensor([[1.0], [10.0]], requires_grad=True)
loss = torch.sparse.mm(S, w).square().sum()
(g,) = torch.autograd.grad(loss, w, create_graph=True)
g.square().sum().backward()
print(f"{w.grad = }")
print(f"{S.grad.to_dense() = }")
