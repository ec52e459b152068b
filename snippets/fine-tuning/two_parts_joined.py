import torch

fixed = torch.tensor([1.0])
trained = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([trained], lr=0.1, weight_decay=0.5)
w = torch.cat([fixed, trained])
(2 * w).sum().backward()
optimizer.step()
w = torch.cat([fixed, trained])
print(f"{w = }")
