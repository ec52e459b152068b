import torch
from torch.nn.functional import dropout
from torch.utils.checkpoint import checkpoint


def gradient(run):
    torch.manual_seed(0)
    x = torch.ones(4, requires_grad=True)
    run(x).sum().backward()
    return x.grad


def checkpointed(step, **options):
    return lambda x: checkpoint(step, x, use_reentrant=False, **options)


cases = [
    (torch.exp, checkpointed(torch.exp)),
    (dropout, checkpointed(dropout)),
    (dropout, checkpointed(dropout, preserve_rng_state=False)),
]
holds = []
for plain, other in cases:
    print(f"{gradient(plain) = }\n{gradient(other) = }")
    holds.append(not torch.equal(gradient(plain), gradient(other)))
print(f"{holds = }")
