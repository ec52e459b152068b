# raises: RuntimeError
import torch
from torch.autograd import Function, grad
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = torch.from_numpy(3 * x.numpy() ** 2)
        return grad_output * slope


x = torch.tensor([10.0], requires_grad=True)
(g,) = grad(Cube.apply(x) ** 2, x, create_graph=True)
print(f"{g = }")
loss = x + g
print(f"{grad(loss, x, retain_graph=True) = }")
loss.backward()
