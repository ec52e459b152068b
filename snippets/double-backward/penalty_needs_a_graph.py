import torch


def gradient_of_w(**options):
    w = torch.tensor(2.0, requires_grad=True)
    x = torch.tensor(3.0, requires_grad=True)
    y = w * x
    (g,) = torch.autograd.grad(y, x, **options)
    loss = y + g**2
    loss.backward()
    return w.grad


kept = gradient_of_w(retain_graph=True)
created = gradient_of_w(create_graph=True)
print(f"{kept = }\n{created = }")
