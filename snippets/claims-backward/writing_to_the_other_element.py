import torch

holds = []
for f in (torch.exp, torch.sin):
    x = torch.tensor([5.0, 0.0], requires_grad=True)
    a = x.clone()
    a[0] = f(a[1])  # or: f(a[1].clone())
    try:
        a.sum().backward()
        print(f"{f.__name__ = } {x.grad = }")
        holds.append(True)
    except RuntimeError as error:
        print(f"{f.__name__ = } {type(error) = }")
        holds.append(False)
print(f"{holds = }")
