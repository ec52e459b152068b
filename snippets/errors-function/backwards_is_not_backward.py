# raises: NotImplementedError
import torch
from torch.autograd import Function


class Triple(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backwards(ctx, grad_output):
        return grad_output * 3


x = torch.tensor(2.0, requires_grad=True)
Triple.apply(x).backward()
