# raises: TypeError
import torch
from torch.autograd import Function


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        mask = (x > 0).float()
        ctx.save_for_backward(mask)
        return x.clamp(min=0), mask

    @staticmethod
    def backward(ctx, grad_y):
        (mask,) = ctx.saved_tensors
        return grad_y * mask


x = torch.tensor([2.0, -3.0], requires_grad=True)
y, mask = Relu.apply(x)
print(f"{mask = }")
y.sum().backward()
