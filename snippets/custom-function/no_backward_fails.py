# raises: NotImplementedError
import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


x = torch.tensor(3.0, requires_grad=True)
y = Double.apply(x)
print(f"{y = }")
y.backward()
