# raises: RuntimeError
import torch

a = torch.tensor(2.0)
b = torch.tensor(3.0)
w = torch.tensor(5.0, requires_grad=True)
c = a * b
d = c * w
print(f"{c = }")
print(f"{d = }")
d.backward()
print(f"{w.grad = }")
c.backward()
