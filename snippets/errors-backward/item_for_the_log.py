import torch

w = torch.tensor(3.0, requires_grad=True)
loss = w**2
total = 0.0
total += loss.item()
mean = loss.detach() / 2
print(f"{total = }")
print(f"{mean = }")
print(f"{loss:.1f}")
