# raises: RuntimeError
import torch
from torch.autograd import Function


class Double(Function):
    def forward(ctx, x):
        return x * 2

    def backward(ctx, grad_output):
        return grad_output * 2


x = torch.tensor(3.0, requires_grad=True)
Double.apply(x).backward()
print(f"{x.grad = }")
Double()(x)
