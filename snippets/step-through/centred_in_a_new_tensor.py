import torch

x = torch.tensor([0.0, 2.0], requires_grad=True)
hidden = torch.sigmoid(x)
hidden = hidden - hidden.mean()
loss = (hidden**2).sum()
loss.backward()
print(f"{hidden._version = }")
print(f"{x.grad = }")
