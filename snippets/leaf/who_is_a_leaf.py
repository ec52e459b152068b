import torch

x = torch.ones(2, requires_grad=True)
codes = [
    "torch.ones(2)",
    "torch.ones(2) * 2",
    "x",
    "x * 2",
    "x[0]",
    "x.clone()",
    "x.double()",
    "x.detach()",
]
tensors = {code: eval(code) for code in codes}
print([code for code, t in tensors.items() if not t.is_leaf])
