import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], 5 * x[1]])
y.backward(torch.tensor([1.0, 0.0]))  # or:
# | y.backward(torch.tensor([0.0, 1.0]))
# | y.backward(torch.ones(2))
# | y.sum().backward()
# | y.mean().backward()
# | y.backward() raises RuntimeError
print(f"{x.grad = }")
