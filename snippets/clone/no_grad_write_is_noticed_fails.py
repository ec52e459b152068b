# raises: RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0, requires_grad=True)
y = w * x
with torch.no_grad():
    w.fill_(100.0)
y.backward()
