# raises: RuntimeError
import torch

x = torch.tensor(5.0, requires_grad=True)
z = torch.log(x**3)
z.backward()  # or: z.backward(retain_graph=True)
print(f"{x.grad = }")
z.backward()  # or: z.backward(retain_graph=True) raises RuntimeError with z.backward() | nothing
print(f"{x.grad = }")
