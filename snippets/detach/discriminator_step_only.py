import torch

g = torch.tensor(2.0, requires_grad=True)
d = torch.tensor(3.0, requires_grad=True)
noise = torch.tensor(5.0)
fake = g * noise

(d * fake.detach()).backward()
print(f"{g.grad = }")
print(f"{d.grad = }")

(d * fake).backward()
print(f"{g.grad = }")
