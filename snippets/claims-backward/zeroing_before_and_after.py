import torch

x = torch.tensor(3.0, requires_grad=True)
holds = []
for turn in (1, 2):
    try:
        x.grad.zero_()
        holds.append(True)
    except AttributeError as error:
        print(f"{turn = } {error = }")
        holds.append(False)
    (x**2).backward()
    print(f"{turn = } {x.grad = }")
print(f"{holds = }")
