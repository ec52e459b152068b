import torch
from torch.autograd import Function


class Reverse(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


w = torch.tensor(1.0, requires_grad=True)
label = torch.tensor(3.0, requires_grad=True)
domain = torch.tensor(5.0, requires_grad=True)
feature = 2 * w
loss = label * feature + domain * Reverse.apply(feature, 0.5)
loss.backward()
print(f"{label.grad = }")
print(f"{domain.grad = }")
print(f"{w.grad = }")
