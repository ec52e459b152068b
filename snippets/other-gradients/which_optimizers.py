import torch
from torch import nn, optim

torch.sparse.check_sparse_tensor_invariants.enable()
names = ["SGD", "Adagrad", "SparseAdam", "Adam", "AdamW", "RMSprop"]
table = {}
for name in [*names, "SGD, momentum", "SGD, weight_decay"]:
    kind, _, option = name.partition(", ")
    torch.manual_seed(0)
    layer = nn.Embedding(4, 2, sparse=True)
    options = {option: 0.1} if option else {}
    make = getattr(optim, kind)
    optimizer = make(layer.parameters(), lr=0.1, **options)
    layer(torch.tensor([1, 3])).sum().backward()
    try:
        optimizer.step()
        table[name] = "ok"
    except RuntimeError as error:
        table[name] = str(error)
print([name for name in table if table[name] == "ok"])
