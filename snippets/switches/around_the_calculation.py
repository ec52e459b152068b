import torch

x = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():  # or:
# | torch.inference_mode() raises RuntimeError
# | torch.set_grad_enabled(False)
# | torch.enable_grad()
    y = x**2
print(f"{y.requires_grad = }")
z = x * y
z.backward()
print(f"{x.grad = }")
