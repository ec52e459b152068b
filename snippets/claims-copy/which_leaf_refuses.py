import torch

holds = []
for flag, recording in (False, True), (True, False), (True, True):
    leaf = torch.tensor(1.0, requires_grad=flag)
    try:
        with torch.set_grad_enabled(recording):
            leaf += 1  # or: leaf.detach().add_(1) | leaf.data.add_(1)
    except RuntimeError:
        print("refused:")
    print(f"{leaf = }, {recording = }")
    holds.append(leaf.item() == 1)
print(f"{holds = }")
