import numpy as np
import torch

ways = {
    "formula": lambda x: x * torch.sigmoid(x),
    "round": lambda x: x + (torch.round(x) - x).detach(),
    "NumPy": lambda x: torch.tensor(np.exp(x.detach().numpy())),
}
holds = []
for name, forward in ways.items():
    x = torch.tensor(1.5, requires_grad=True)
    y = forward(x)
    print(f"{name:<8}{y.requires_grad = }")
    holds.append(not y.requires_grad)
print(f"{holds = }")
