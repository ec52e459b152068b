import torch


def clean(f):
    x = torch.tensor([0.0, 4.0], requires_grad=True)  # values of 0.0: -1.0, 0.0, 1.0
    f(x).sum().backward()
    print(f"{x.grad = }")
    return not x.grad.isnan().any().item()


holds = [
    clean(lambda x: torch.where(x > 0, x.sqrt(), 0.0)),
    clean(lambda x: x.sqrt()[x > 0]),
    clean(lambda x: torch.where(x > 0, x, 1.0).sqrt()),
]
print(f"{holds = }")
