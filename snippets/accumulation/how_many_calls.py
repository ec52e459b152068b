import torch

x = torch.tensor(5.0, requires_grad=True)
for _ in range(3):  # values: 1, 2, 3, 4, 5, 6
    z = torch.log(x**3)
    z.backward()  # or: x.grad = None; z.backward()
print(f"{x.grad = }")
