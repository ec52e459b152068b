import torch
from torch.autograd import Function, gradcheck


class Noisy(Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        Noisy.calls += 1
        return 2 * grad_output + 1e-8 * Noisy.calls


x = torch.ones(2, dtype=torch.float64, requires_grad=True)
try:
    gradcheck(Noisy.apply, x)
except RuntimeError as error:
    message = str(error).split(".The")
    print(f"{type(error).__name__}: {message[0]}")
