import torch

w = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():
    loss = w**2
loss.requires_grad = True
loss.backward()
print(f"{loss.grad = }")
print(f"{w.grad = }")
holds = w.grad is not None
print(f"{holds = }")
