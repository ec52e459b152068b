import torch

g = torch.tensor(3.0, requires_grad=True)
d = torch.tensor(5.0, requires_grad=True)
fake = 2 * g
(d * fake.detach()).backward()
print(f"{g.grad = }")
print(f"{fake = }")
holds = fake.grad_fn is None
(d * fake).backward()
print(f"{g.grad = }")
print(f"{holds = }")
