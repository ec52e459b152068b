import torch
from torch.autograd import Function, grad


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = torch.tensor(2 * x.item())
        return grad_output * slope


x = torch.tensor(3.0, requires_grad=True)
y = Square.apply(x) ** 2
(g,) = grad(y, x, create_graph=True)
g.backward()
print(f"{x.grad = }")
print(f"{12 * x.item() ** 2 = }")
