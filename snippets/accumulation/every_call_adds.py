import torch

x = torch.tensor(5.0, requires_grad=True)
for _ in range(3):
    z = torch.log(x**3)
    z.backward()
    print(f"{x.grad = }")
