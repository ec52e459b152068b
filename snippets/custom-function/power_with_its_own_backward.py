import torch
from torch.autograd import Function, grad


class Power(Function):
    @staticmethod
    def forward(ctx, x, q):
        ctx.save_for_backward(x, q)
        return x**q

    @staticmethod
    def backward(ctx, grad_output):
        x, q = ctx.saved_tensors
        print(f"{grad_output = }")
        grad_x = grad_output * q * x ** (q - 1)
        grad_q = grad_output * x**q * torch.log(x)
        return grad_x, grad_q


x = torch.tensor(5.0, requires_grad=True)
q = torch.tensor(3.0, requires_grad=True)
y = Power.apply(x, q)
print(f"{y = }")
torch.log(y).backward()
print(f"{x.grad = }")
print(f"{q.grad = }")
print(f"{x**q = }")
print(f"{grad(torch.log(x**q), (x, q)) = }")
