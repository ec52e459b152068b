import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        return x.numpy() ** 3


x = torch.tensor([10.0], requires_grad=True)
y = Cube.apply(x)
print(f"{y = }")
