import torch

D = torch.tensor([[0.0, 2.0], [3.0, 0.0]])
for A, mm in (D.to_sparse(), torch.sparse.mm), (D, torch.mm):
    A.requires_grad_()
    w = torch.tensor([[1.0], [10.0]], requires_grad=True)
    loss = mm(A, w).square().sum()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    g.square().sum().backward()
    print(f"{w.grad = }\n{A.grad.to_dense() = }")
