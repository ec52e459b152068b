import torch
from torch.autograd import Function, gradcheck


class Power(Function):
    @staticmethod
    def forward(ctx, x, q):
        y = x**q
        ctx.save_for_backward(x, q, y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, q, y = ctx.saved_tensors
        grad_x = grad_q = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output * q * x ** (q - 1)
        if ctx.needs_input_grad[1]:
            grad_q = grad_output * torch.xlogy(y, x)
        return grad_x, grad_q


x = torch.tensor([0.0, 2.0], dtype=torch.double, requires_grad=True)
q = torch.tensor([2.0, 3.0], dtype=torch.double, requires_grad=True)
print(f"{gradcheck(Power.apply, (x, q)) = }")
y = Power.apply(x, q.detach())
print(f"{y.grad_fn.needs_input_grad = }")
