import torch
from torch.autograd import Function, grad, gradcheck, gradgradcheck


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


torch.manual_seed(0)
x = torch.tensor([5.0, 2.0], dtype=torch.double, requires_grad=True)
q = torch.tensor([3.0, 0.5], dtype=torch.double, requires_grad=True)
print(f"{gradcheck(Power.apply, (x, q)) = }")
print(f"{gradgradcheck(Power.apply, (x, q)) = }")

base = torch.tensor(0.0, requires_grad=True)
exponent = torch.tensor(2.0, requires_grad=True)
Power.apply(base, exponent).backward()
print(f"{exponent.grad = }")
print(f"{grad(base**exponent, exponent) = }")
