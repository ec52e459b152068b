import torch
import torch.autograd.forward_ad as fwAD

x, v = torch.tensor(3.0), torch.tensor(1.0)
with fwAD.dual_level():
    dual = fwAD.make_dual(x, v)
    square = dual**2
    y = square * dual
    print(f"{dual = }\n{square = }\n{y = }")
    print(f"{fwAD.unpack_dual(y).tangent = }")
