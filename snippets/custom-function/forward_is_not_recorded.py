import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, a):
        print(f"{a is x = }")
        print(f"{(a * a).grad_fn = }")
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx, grad_output):
        (a,) = ctx.saved_tensors
        print(f"{a is x = }")
        return grad_output * 2 * a


x = torch.tensor(3.0, requires_grad=True)
y = Square.apply(x)
print(f"{y = }")
y.backward()
print(f"{x.grad = }")
