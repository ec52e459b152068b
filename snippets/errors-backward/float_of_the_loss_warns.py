import torch

w = torch.tensor(3.0, requires_grad=True)
loss = w**2
print(f"{float(loss) = }")
