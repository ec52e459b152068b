import torch
from torch.autograd.graph import saved_tensors_hooks


def kept(forward):
    sizes = []

    def pack(t):
        sizes.append(t.nbytes)
        return t

    x = torch.ones(100, requires_grad=True)
    with saved_tensors_hooks(pack, lambda t: t):
        y = forward(x)
    print(f"{y.grad_fn is None = }, {sum(sizes) = }")
    return sum(sizes)


plain = kept(lambda x: x.exp().exp())
cut = kept(lambda x: x.exp().exp().detach())
off = kept(torch.no_grad()(lambda x: x.exp().exp()))
holds = [cut < plain, off < plain]
print(f"{holds = }")
