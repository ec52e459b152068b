import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.numpy() * 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2


x = torch.tensor([3.0], requires_grad=True)
y = Double.apply(x)
print(f"{y = }")
print(f"{hasattr(y, 'grad_fn') = }")
holds = isinstance(y, torch.Tensor)
print(f"{holds = }")
