# raises: RuntimeError
import torch
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(0)
q = torch.randn(1, 1, 3, 4, requires_grad=True)
y = scaled_dot_product_attention(q, q, q).square().sum()
(g,) = torch.autograd.grad(y, q, create_graph=True)
g.square().sum().backward()
