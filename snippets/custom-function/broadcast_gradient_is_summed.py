import torch
from torch.autograd import Function


class Multiply(Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x, k)
        return x * k

    @staticmethod
    def backward(ctx, grad_output):
        x, k = ctx.saved_tensors
        grad_k = grad_output * x
        print(f"{grad_k = }")
        return grad_output * k, grad_k


x = torch.tensor([2.0, 3.0], requires_grad=True)
k = torch.tensor(10.0, requires_grad=True)
Multiply.apply(x, k).sum().backward()
print(f"{k.grad = }")
