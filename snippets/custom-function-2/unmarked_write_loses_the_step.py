import torch
from torch.autograd import Function


class Triple_(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(3)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 3


x = torch.tensor(2.0, requires_grad=True)
h = x.clone()
Triple_.apply(h)
print(f"{h = }")
h.backward()
print(f"{x.grad = }")
