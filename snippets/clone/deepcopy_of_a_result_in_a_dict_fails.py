# raises: RuntimeError
import copy

import torch

w = torch.tensor(2.0, requires_grad=True)
loss = (w - 3) ** 2
best = {"w": w, "loss": loss.detach()}
print(f"{copy.deepcopy(best) = }")

best["loss"] = loss
copy.deepcopy(best)
