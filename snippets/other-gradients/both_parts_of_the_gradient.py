import torch

z = torch.tensor(3 + 4j, requires_grad=True)
loss = z.abs() ** 2
loss.backward()
print(f"{loss = }\n{z.grad = }")

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
(a**2 + b**2).backward()
print(f"{a.grad = }, {b.grad = }")

with torch.no_grad():
    z -= 0.1 * z.grad
print(f"{z.detach() = }, {z.detach().abs() ** 2 = }")
