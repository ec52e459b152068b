# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
d = (x * 3).detach()
print(f"{d.requires_grad = }")
print(f"{d.grad_fn = }")
d.backward()
