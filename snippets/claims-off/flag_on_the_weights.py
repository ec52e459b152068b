import torch

g = torch.tensor(2.0, requires_grad=True)
d = torch.tensor(3.0, requires_grad=True)
noise = torch.tensor(5.0)
fake = g * noise
(d * fake).backward()
print(f"{g.grad = }\n{d.grad = }")
print(f"{noise.requires_grad = }\n{fake.requires_grad = }")
enough_to_set = None not in (g.grad, d.grad)
only_ones_set = not (noise.requires_grad or fake.requires_grad)
holds = [enough_to_set, only_ones_set]
print(f"{holds = }")
