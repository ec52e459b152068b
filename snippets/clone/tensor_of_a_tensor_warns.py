import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
t = torch.tensor(x * 3)
print(f"{t = }")
print(f"{torch.as_tensor(x) is x = }")
