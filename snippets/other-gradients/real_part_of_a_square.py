import torch

z = torch.tensor(3 + 4j, requires_grad=True)
square = z * z
loss = square.real
loss.backward()
print(f"{square = }\n{loss = }\n{z.grad = }")
