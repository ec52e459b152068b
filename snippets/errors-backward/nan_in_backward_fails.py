# raises: RuntimeError
import warnings

import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
with warnings.catch_warnings(action="ignore"):
    with torch.autograd.set_detect_anomaly(True):
        loss = (x.sqrt() * x).sum()
        loss.backward()
