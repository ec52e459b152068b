import torch
from torch import nn


def nodes(frozen):
    model = nn.Sequential(*[nn.Linear(2, 2) for _ in range(8)])
    model[frozen].requires_grad_(False)
    todo, seen = [model(torch.ones(1, 2)).grad_fn], set()
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [n for n, _ in node.next_functions if n]
    return len(seen)


torch.manual_seed(0)
counts = {
    "nothing frozen": nodes(slice(0)),
    "all but the last": nodes(slice(7)),
    "all but the first": nodes(slice(1, 8)),
}
print(f"{counts = }")
