import torch


def train(order):
    w = torch.tensor(8.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.25)
    act = {
        "zero_grad": optimizer.zero_grad,
        "backward": lambda: (w**2).backward(),
        "step": optimizer.step,
    }
    for name in order * 2:
        act[name]()
    print(f"{', '.join(order)}: {w.item()}")
    return w.item()


right = train(["zero_grad", "backward", "step"])
after = train(["backward", "step", "zero_grad"])
between = train(["backward", "zero_grad", "step"])
holds = [after != right, between != right]
print(f"{holds = }")
