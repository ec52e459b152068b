import re
import warnings

import torch


def distance(a, b):
    return ((a - b) ** 2).sum().sqrt()


def loss(a, b):
    return 2 * distance(a, b)


a = torch.zeros(2, requires_grad=True)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    with torch.autograd.set_detect_anomaly(True):
        try:
            loss(a, torch.zeros(2)).backward()
        except RuntimeError as error:
            print(error)
message = str(seen[-1].message)
print(message.splitlines()[0])
print(re.findall(r", in (\S+)$", message, re.M)[-4:])
