import torch


def step(grad):
    w = torch.tensor(10.0, requires_grad=False)
    w.grad = grad
    torch.optim.SGD([w], lr=0.1, weight_decay=0.5).step()  # or:
    # | torch.optim.SGD([w], lr=0.1).step()
    # | torch.optim.Adam([w], lr=0.1).step()
    # | torch.optim.AdamW([w], lr=0.1).step()
    return w


left_over = step(torch.tensor(3.0))
zero = step(torch.tensor(0.0))
none = step(None)
print(f"{left_over = }\n{zero = }\n{none = }")
holds = [w.item() == 10 for w in (left_over, zero, none)]
print(f"{holds = }")
