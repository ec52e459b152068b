import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
shared = x.detach().numpy()
own = x.detach().clone().numpy()
shared[0] = 9
print(f"{x = }")
print(f"{own = }")
