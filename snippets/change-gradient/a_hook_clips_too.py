import torch
from torch.autograd import Function


class Clip(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clamp(-1, 1)


factors = torch.tensor([5.0, 0.5])
x = torch.ones(2, requires_grad=True)
(factors * Clip.apply(x)).sum().backward()
print(f"{x.grad = }")

z = torch.ones(2, requires_grad=True)
z.register_hook(lambda grad: grad.clamp(-1, 1))
(factors * z).sum().backward()
print(f"{z.grad = }")
