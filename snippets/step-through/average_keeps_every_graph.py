import torch

w = torch.tensor(1.0, requires_grad=True)
average = torch.tensor(0.0)
for i in range(6):
    loss = (w * i - 1) ** 2
    average = 0.9 * average + 0.1 * loss
    loss.backward()
print(f"{average = }")
