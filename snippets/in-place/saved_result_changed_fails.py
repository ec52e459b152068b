# raises: RuntimeError
import torch

x = torch.tensor(0.0, requires_grad=True)
y = x.exp()
print(f"{y.grad_fn._saved_result = }")
print(f"{y._version = }")
y += 1
print(f"{y._version = }")
y.backward()
