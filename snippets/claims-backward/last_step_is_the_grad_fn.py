import torch

x = torch.tensor(1.0, requires_grad=True)
z = torch.log(x) + torch.sqrt(x)
print(f"{z = }")
holds = "Log" in z.grad_fn.name()
print(f"{holds = }")
