# raises: RuntimeError
import torch

x = torch.tensor([0.0, 2.0], requires_grad=True)
hidden = torch.sigmoid(x)
hidden -= hidden.mean()
loss = (hidden**2).sum()
print(f"{loss = }")
loss.backward()
