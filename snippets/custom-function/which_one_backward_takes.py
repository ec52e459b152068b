import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.a = a
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx, grad_output):
        a = ctx.a  # or: ctx.saved_tensors[0] raises RuntimeError with h.zero_()
        return grad_output * 2 * a


x = torch.tensor(3.0, requires_grad=True)
h = x.clone()
y = Square.apply(h)
h.zero_()  # or: h = h * 0 | h.data.zero_()
y.backward()
print(f"{x.grad = }")
