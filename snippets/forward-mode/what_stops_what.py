import torch
import torch.autograd.forward_ad as fwAD


class Through:
    def __init__(self, f):
        x = torch.tensor(3.0, requires_grad=True)
        with fwAD.dual_level():
            dual = fwAD.make_dual(x, torch.tensor(1.0))
            y = f(dual)
            self.tangent = fwAD.unpack_dual(y).tangent
        self.gradient = None
        if y.requires_grad:
            (self.gradient,) = torch.autograd.grad(y, x)


def square(x):
    return x**2


rows = {
    "x ** 2": Through(square),
    "no_grad()": Through(torch.no_grad()(square)),
    "inference_mode()": Through(torch.inference_mode()(square)),
    "detach()": Through(lambda x: square(x).detach()),
    ".data": Through(lambda x: square(x).data),
    "item()": Through(lambda x: torch.tensor(x.item() ** 2)),
}
print([name for name in rows if rows[name].tangent is not None])
