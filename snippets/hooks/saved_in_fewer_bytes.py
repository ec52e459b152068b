import torch
from torch.autograd.graph import saved_tensors_hooks

dtype = torch.float16  # or: torch.bfloat16 | torch.float8_e4m3fn | torch.float32


def pack(tensor):
    kept = tensor.to(dtype)
    print(f"{tensor.nbytes = }, {kept.nbytes = }")
    return kept


x = torch.tensor([0.1, 0.2], requires_grad=True)
with saved_tensors_hooks(pack, lambda kept: kept.float()):
    y = x.exp().sum()
y.backward()
print(f"{x.grad - x.detach().exp() = }")
