# raises: RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
y = w * x
with torch.no_grad():
    w.fill_(100.0)  # or:
    # | w.detach().fill_(100.0) raises RuntimeError
    # | w.data.fill_(100.0)
    # | w.clone().fill_(100.0)
print(f"{w._version = }")
y.backward()
print(f"{x.grad = }")
