import gc

import torch


def recorded():
    return sum(
        type(thing) is torch.Tensor and thing.grad_fn is not None
        for thing in gc.get_objects()
    )


before = recorded()
w = torch.ones(2, requires_grad=True)
history = {"losses": []}
for step in range(3):
    loss = (step * w).sum()
    loss.backward()
    history["losses"].append(loss)
    print(f"{recorded() - before = }")

holders = gc.get_referrers(history["losses"][0])
holders = [type(holder) for holder in holders]
print(f"{holders = }")
