import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.a = a
        return a * a

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.a


x = torch.tensor(3.0, requires_grad=True)
h = x.clone()
y = Square.apply(h)
h.zero_()
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
