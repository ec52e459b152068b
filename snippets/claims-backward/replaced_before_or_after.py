import torch


def clean(f):
    x = torch.tensor([float("nan"), 4.0])
    w = torch.tensor(2.0, requires_grad=True)
    f(x, w).sum().backward()
    print(f"{w.grad.item() = }")
    return w.grad.isfinite().item()


holds = [
    clean(lambda x, w: (x * w).nan_to_num()),
    clean(lambda x, w: x.nan_to_num() * w),
]
print(f"{holds = }")
