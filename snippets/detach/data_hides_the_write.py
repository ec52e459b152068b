import torch

a = torch.tensor(0.0, requires_grad=True)
out = a.sigmoid()
correct = (out * (1 - out)).item()
print(f"{correct = }")
c = out.data
c.zero_()
print(f"{out = }")
print(f"{out._version = }")
out.backward()
print(f"{a.grad = }")
