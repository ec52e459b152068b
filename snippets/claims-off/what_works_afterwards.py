import torch


def works(switch, step):
    w = torch.tensor(3.0, requires_grad=True)
    with switch:
        t = torch.tensor(2.0) * 5
    try:
        step(w, t)
    except RuntimeError:
        return False
    return True


steps = [
    lambda w, t: t.item(),
    lambda w, t: (w + t).backward(),
    lambda w, t: (w * t).backward(),
    lambda w, t: t.add_(1),
]
plain = [works(torch.no_grad(), s) for s in steps]
fast = [works(torch.inference_mode(), s) for s in steps]
print(f"{plain = }\n{fast = }")
holds = [a == b for a, b in zip(plain, fast, strict=True)]
print(f"{holds = }")
