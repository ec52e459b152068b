import tempfile
import torch
import torch.distributed as dist
from torch.multiprocessing import start_processes


class AllGather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, own):
        dist.all_gather(parts := [own.clone(), own.clone()], own)
        return torch.stack(parts)

    @staticmethod
    def backward(ctx, grad):
        dist.all_reduce(grad := grad.clone())
        return grad[dist.get_rank()]


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    w = torch.tensor(3.0, requires_grad=True)
    AllGather.apply(w * (rank + 1)).prod().backward()
    grads[rank] = w.grad


grads = torch.zeros(2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{grads = }")
