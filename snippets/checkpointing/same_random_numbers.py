import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
x = torch.ones(8, requires_grad=True)


def block(x):
    return F.dropout(x * x, 0.5)


y = checkpoint(block, x, use_reentrant=False)
y.sum().backward()
print(f"{torch.equal(x.grad, 2 * y) = }")
