import warnings

import torch

warnings.simplefilter("ignore")  # that the layout is in beta
a = torch.tensor([[1.0, 0.0], [0.0, 2.0]]).to_sparse_csr()
a.requires_grad_()
b = torch.ones(2, 2, requires_grad=True)
y = torch.sparse.mm(a, b, "mean")
z = y.sum()
z.backward()
