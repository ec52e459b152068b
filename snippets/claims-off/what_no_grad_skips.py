import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode


class Computed(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        computed.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def pack(t):
    saved.append(t)
    return t


x = torch.ones(100, requires_grad=True)
counts = []
for recording in (True, False):
    computed, saved = [], []
    hooks = saved_tensors_hooks(pack, lambda t: t)
    with torch.set_grad_enabled(recording), hooks, Computed():
        y = (x.exp() * x).sin()
    print(f"{recording = } {computed = } {len(saved) = }")
    counts.append((len(saved), len(computed)))
holds = [off < on for on, off in zip(*counts, strict=True)]
print(f"{holds = }")
