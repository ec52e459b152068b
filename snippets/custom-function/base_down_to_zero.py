import torch
from torch.autograd import Function


class Power(Function):
    @staticmethod
    def forward(ctx, x, q):
        ctx.save_for_backward(x, q)
        return x**q

    @staticmethod
    def backward(ctx, grad_output):
        x, q = ctx.saved_tensors
        grad_x = grad_output * q * x ** (q - 1)
        grad_q = grad_output * x**q * torch.log(x)  # or: grad_output * torch.xlogy(x**q, x)
        return grad_x, grad_q


x = torch.tensor(0.0, requires_grad=True)  # values: 0.0, 0.25, 0.5, 1.0, 1.5
q = torch.tensor(2.0, requires_grad=True)
Power.apply(x, q).backward()
print(f"{x.grad = }")
print(f"{q.grad = }")
