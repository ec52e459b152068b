import warnings

import torch

warnings.simplefilter("ignore")


def stops(at, f):
    x = torch.tensor(at, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = f(x)
        try:
            y.backward()
        except RuntimeError as error:
            print(error)
            return True
    print(f"{y.item()}, {x.grad.item()}")
    return False


holds = [
    stops(0.0, lambda x: x.sqrt() * x),
    stops(-1.0, lambda x: x.log()),
    stops(0.0, lambda x: x.sqrt()),
]
print(f"{holds = }")
