import torch


def trained(given, lr):
    w = torch.ones(2, requires_grad=True)
    other = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([w if given else other], lr=lr)
    w.sum().backward()
    optimizer.step()
    print(f"{w.grad = }, {w.tolist() = }")
    return w[0].item() != 1


holds = [trained(True, 0.5), trained(False, 0.5), trained(True, 0.0)]
print(f"{holds = }")
