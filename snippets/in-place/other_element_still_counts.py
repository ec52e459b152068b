# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x.clone()
a[0] = a[1].clone() ** 2
a.sum().backward()
print(f"{x.grad = }")

a = x.clone()
a[0] = a[1] ** 2
a.sum().backward()
