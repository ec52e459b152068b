import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.checkpoint import set_checkpoint_early_stop

log = []


def block(x):
    log.append("begin")
    y = torch.sin(x)
    log.append("end")
    return y + 1


x = torch.tensor(2.0, requires_grad=True)
checkpoint(block, x, use_reentrant=False).backward()
print(log)

log.clear()
with set_checkpoint_early_stop(False):
    y = checkpoint(block, x, use_reentrant=False)
y.backward()
print(log)
