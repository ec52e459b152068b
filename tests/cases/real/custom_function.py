import torch
from torch.autograd import Function


class ReverseGradient(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class STE(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        out = (x > 0).float()
        return out

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        mask = x.abs() <= 1
        return grad * mask


class DANN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Linear(3, 4)
        self.label = torch.nn.Linear(4, 2)
        self.domain = torch.nn.Linear(4, 2)

    def forward(self, x, alpha):
        f = STE.apply(self.features(x))
        return self.label(f), self.domain(ReverseGradient.apply(f, alpha))


torch.manual_seed(0)
model = DANN()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y, d = torch.randn(4, 3), torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 1, 1])
for step in range(2):
    class_output, domain_output = model(x, alpha=0.5)
    loss = torch.nn.functional.cross_entropy(class_output, y)
    loss = loss + torch.nn.functional.cross_entropy(domain_output, d)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.3f}")
