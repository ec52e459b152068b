import builtins

import torch

torch.Tensor.__repr__ = lambda self, **_: "patched"
torch.Tensor.backward = None
builtins.print = (lambda old: lambda *a, **k: old("patched", *a, **k))(print)
print(torch.ones(1))
