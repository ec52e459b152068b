import torch

holds = []
for outside in (torch.no_grad(), torch.inference_mode()):
    x = torch.tensor(2.0, requires_grad=True)
    with outside:
        y = x * 3
        with torch.enable_grad():
            z = x * 3
    print(f"{y.requires_grad = }, {z.requires_grad = }")
    holds.append(not z.requires_grad)
print(f"{holds = }")
