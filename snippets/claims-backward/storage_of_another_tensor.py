import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
cases = {
    "detach()": (y, y.detach()),
    "y[0]": (y[0], y),
    "unbind()": (y.unbind()[0], y),
}
holds = []
for name, (changed, other) in cases.items():
    try:
        changed += 1
        print(f"{name = } {other.tolist() = }")
        holds.append(False)
    except RuntimeError as error:
        print(f"{name = } {type(error) = }")
        holds.append(True)
print(f"{holds = }")
