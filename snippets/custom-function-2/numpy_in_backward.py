import torch
from torch.autograd import Function, grad


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        a = x.detach().numpy()  # or: x.numpy() raises RuntimeError
        return grad_output * torch.from_numpy(3 * a**2)


x = torch.tensor([10.0], requires_grad=True)
y = Cube.apply(x) ** 2
(g,) = grad(y, x, create_graph=True)
(second,) = grad(g, x)
print(f"{g = }")
print(f"{second.item() = :.0f}")
