import torch

x = torch.tensor(1 + 2j, requires_grad=True)
z = (x * x.conj()).real
z.backward()
