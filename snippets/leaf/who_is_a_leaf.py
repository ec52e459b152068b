import torch
from torch import nn

torch.manual_seed(0)
x = torch.ones(2, requires_grad=True)
codes = [
    "torch.ones(2)",
    "torch.ones(2) * 2",
    "x",
    "x * 2",
    "x[0]",
    "x.clone()",
    "x.detach()",
    "x.detach().requires_grad_()",
    "x.data",
    "x.float()",
    "x.double()",
    "nn.Parameter(x)",
    "nn.Linear(1, 1).weight",
]
tensors = {code: eval(code) for code in codes}
print([code for code, t in tensors.items() if not t.is_leaf])
