import torch

table = torch.tensor([10.0, 20.0, 40.0])
scores = torch.tensor([0.0, 5.0, 0.0], requires_grad=True)
y = scores.softmax(0) @ table
y.backward()
print(f"{y.item() = :.2f}")
print(f"{scores.grad = }")
