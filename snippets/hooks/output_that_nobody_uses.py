import torch

x = torch.tensor([3.0, 1.0], requires_grad=True)
a, b = x.unbind()
seen = []
b.register_hook(seen.append)

a.backward()
print(f"{seen = }")
