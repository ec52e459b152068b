import weakref

import numpy as np
import torch

w = torch.tensor(1.0, requires_grad=True)
losses = []
holds = []
for train in (True, False):
    batch = np.ones(1000, dtype=np.float32)
    loss = (w * torch.from_numpy(batch)).sum()
    if train:
        loss.backward()
    losses.append(loss)
    data = weakref.ref(batch)
    del batch
    graph_gone = losses[-1].grad_fn is None
    data_gone = data() is None
    print(f"{train = } {graph_gone = } {data_gone = }")
    holds.append(graph_gone and data_gone)
print(f"{holds = }")
