# raises: RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.LBFGS([w])
before = w**2


def closure():
    optimizer.zero_grad()
    prediction = before  # or: w**2
    loss = (prediction - 4) ** 2
    loss.backward()  # or:
    # | loss.backward(retain_graph=True) raises RuntimeError with before
    print(f"{w.item() = }, {loss.item() = }")
    return loss


optimizer.step(closure)
