import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Copies(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


w = torch.tensor(3.0, requires_grad=True)
losses = [w**2, w**3, w**4]

with Copies() as in_each_step:
    total = sum(loss.item() for loss in losses)
print(f"{total = }, {in_each_step.count = }")

with Copies() as at_the_end:
    total = sum(loss.detach() for loss in losses).item()
print(f"{total = }, {at_the_end.count = }")
keeps_no_history = not torch.is_tensor(losses[0].item())
holds = [keeps_no_history, in_each_step.count == 0]
print(f"{holds = }")
