import torch

z = torch.tensor(3 + 4j, requires_grad=True)
square = z * z
loss = square.real  # or: square.imag | square.abs() | square * 1 raises RuntimeError
loss.backward()
print(f"{square = }\n{loss = }\n{z.grad = }")
