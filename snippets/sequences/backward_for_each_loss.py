import torch


def passes(length, at_once):
    w = torch.tensor(0.5, requires_grad=True)
    h, count, losses = torch.zeros(()), [], []
    for step in range(length):
        h = w * h + 1
        h.register_hook(count.append)
        losses.append(h)
    if at_once:
        sum(losses).backward()
    else:
        for loss in losses:
            loss.backward(retain_graph=True)
    return len(count), w.grad.item()


for length in (4, 8, 16):
    once, each = passes(length, True), passes(length, False)
    print(f"{length = } {once = } {each = }")
counts = {
    "one backward()": passes(16, True)[0],
    "one for each loss": passes(16, False)[0],
}
