import torch


def branches(x):
    return 2 * x if x > 0 else x


def leaves_torch(x):
    return x * x.item()


def draws(x):
    return x * torch.rand(())


def writes(x):
    total = torch.zeros(())
    total += x
    return total


x = torch.tensor([1.0, -2.0])
for function in (branches, leaves_torch, draws, writes):
    try:
        torch.vmap(function)(x)
    except RuntimeError as error:
        print(f"{function.__name__}: {str(error).split('. ')[0]}")
