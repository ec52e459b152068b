import torch

w = torch.tensor(2.0, requires_grad=True)
y = w * 3
cut = y.detach()
loss = (cut - 1) ** 2
steps = {"loss": loss, "cut": cut, "y": y, "w": w}
for name, t in steps.items():
    print(f"{name}: {t.requires_grad = }")

loss = (y - 1) ** 2
loss.backward()
print(f"{w.grad = }")
