import torch

z = torch.tensor(3 + 4j, requires_grad=True)
(z * z).float().backward()
print(f"{z.grad = }")
