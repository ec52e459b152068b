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
        grad_q = grad_output * x**q * torch.log(x)
        return grad_x, grad_q


x = torch.tensor([0.0, 2.0], requires_grad=True)
q = torch.tensor([2.0, 3.0], requires_grad=True)
Power.apply(x, q).sum().backward()
print(f"{q.grad = }")
q.grad = None
(x**q).sum().backward()
print(f"{q.grad = }")
