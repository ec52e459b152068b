import torch


def gradient(step, write):
    x = torch.tensor(4.0, requires_grad=True)
    y = step(x)
    write(y)
    y.backward()
    return x.grad.item()


grads = {
    "add_": gradient(torch.log, lambda y: y.add_(2)),
    "data.add_": gradient(torch.sqrt, lambda y: y.data.add_(2)),
}
print(f"{grads = }")
right = 1 / 4
holds = [grad == right for grad in grads.values()]
print(f"{holds = }")
