import torch

w = torch.tensor(3.0, requires_grad=True)
seen = []
w.register_hook(seen.append)
holds = []
for step in range(2):
    (2 * w).backward()
    print(f"hook: {seen[-1]}, .grad: {w.grad}")
    holds.append(torch.equal(seen[-1], w.grad))
print(f"{holds = }")
