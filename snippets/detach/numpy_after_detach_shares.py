import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
n = x.detach().numpy()
n[0] = 7.0
print(f"{n = }")
print(f"{x = }")
