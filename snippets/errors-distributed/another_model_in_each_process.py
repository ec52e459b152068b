import tempfile

import torch.distributed as dist
from torch import nn
from torch.multiprocessing import get_context, start_processes
from torch.nn.parallel import DistributedDataParallel


def wrap(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    try:
        DistributedDataParallel(nn.Linear(1, 1, bias=rank == 0))
    except RuntimeError as error:
        messages.put((rank, str(error)))


messages = get_context("fork").SimpleQueue()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(wrap, (store,), nprocs=2, start_method="fork")
message = dict(messages.get() for rank in range(2))
print(message[0])
print(message[1])
