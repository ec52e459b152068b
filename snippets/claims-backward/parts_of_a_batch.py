import torch
from torch import nn

torch.manual_seed(0)
x = torch.tensor([[1.0], [2.0], [3.0], [6.0]])


def gradient(model, sizes):
    model.zero_grad()
    for part in x.split(sizes):
        loss = (model(part) * part).mean()
        (loss / len(sizes)).backward()  # or:
        # | (loss * len(part) / len(x)).backward()
        # | loss.backward()
    return model.weight.grad


cases = {
    "equal parts": (nn.Linear(1, 1), [2, 2]),
    "unequal parts": (nn.Linear(1, 1), [1, 3]),
    "batch norm": (nn.BatchNorm1d(1), [2, 2]),
}
holds = []
for name, (model, sizes) in cases.items():
    whole, parts = gradient(model, [4]), gradient(model, sizes)
    print(f"{name}: {whole.item():.2f} and {parts.item():.2f}")
    holds.append(torch.allclose(whole, parts))
print(f"{holds = }")
