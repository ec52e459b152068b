import torch

w = torch.tensor(1.0, requires_grad=True)
sgd = torch.optim.SGD([w], lr=0.25)
for _ in range(4):
    loss = w**2
    sgd.zero_grad(); loss.backward(); sgd.step()  # or:
    # | loss.backward(); sgd.step(); sgd.zero_grad()
    # | loss.backward(); sgd.zero_grad(); sgd.step()
    # | sgd.step(); sgd.zero_grad(); loss.backward() raises RuntimeError
    # | loss.backward(); sgd.step()
    print(f"{w.item() = }")
