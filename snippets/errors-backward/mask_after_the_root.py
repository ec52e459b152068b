import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), 0.0)
y.sum().backward()
print(f"{y = }")
print(f"{x.grad = }")
torch.nn.utils.clip_grad_norm_([x], 1.0)
print(f"{x.grad = }")
