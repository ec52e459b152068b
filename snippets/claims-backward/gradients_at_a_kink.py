import torch

zero = torch.zeros(())
steps = {
    "relu": torch.relu,
    "abs": torch.abs,
    "clamp": lambda x: x.clamp(min=0),
    "maximum": lambda x: torch.maximum(x, zero),
    "sqrt": torch.sqrt,
    "sqrt of square": lambda x: (x**2).sqrt(),
}
holds = []
for name, step in steps.items():
    x = torch.tensor(0.0, requires_grad=True)
    step(x).backward()
    print(f"{name}: {x.grad.item()}")
    holds.append(x.grad.isnan().item())
print(f"{holds = }")
