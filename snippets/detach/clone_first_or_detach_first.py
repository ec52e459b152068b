import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x.detach().clone()
b = x.clone().detach()
a[0] = 10.0
b[1] = 20.0
print(f"{a = }")
print(f"{b = }")
print(f"{x = }")
print(f"{x.clone() = }")
print(f"{x.detach() = }")
