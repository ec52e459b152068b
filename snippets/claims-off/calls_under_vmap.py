import torch

holds = []
for size in (3, 300):
    calls = []

    def f(x):
        calls.append(x.shape)
        return x.sin()

    torch.vmap(f)(torch.zeros(size, 2))
    print(f"{size = }, {calls = }")
    holds.append(len(calls) == size)
holds = any(holds)
print(f"{holds = }")
