import warnings

import torch


def quiet(take):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        take()
    return not seen


w = torch.tensor(3.0, requires_grad=True)
trained = w**2
with torch.no_grad():
    evaluated = w**2
holds = [quiet(lambda: float(loss)) for loss in (trained, evaluated)]
print(f"{quiet(trained.item) = }")
print(f"{quiet(trained.detach) = }")
print(f"{holds = }")
