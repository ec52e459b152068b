import torch

x = torch.tensor(2.0)
w1 = torch.tensor(3.0, requires_grad=True)
w2 = torch.tensor(5.0, requires_grad=True)
h = w1 * x
loss = w2 * h
print(f"{h = }")
print(f"{loss = }")
