import torch


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, value):
        ctx.save_for_backward(x, value)
        return x * 2


def can_be_saved(value):
    try:
        Keep.apply(torch.tensor(3.0, requires_grad=True), value)
    except TypeError as error:
        print(error)
        return False
    return True


values = [torch.tensor(4.0), 4, torch.Size([2])]
holds = [can_be_saved(value) for value in values]
print(f"{holds = }")
