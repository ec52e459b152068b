import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
array = x.detach().numpy()  # or:
# | x.detach().clone().numpy()
# | x.numpy(force=True)
# | x.numpy() raises RuntimeError
array[0] = 9
print(f"{x = }")
print(f"{array = }")
