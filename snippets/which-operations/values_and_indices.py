import torch

scores = torch.tensor([1.0, 7.0, 2.0, 5.0], requires_grad=True)
values, indices = scores.topk(2)
values.square().sum().backward()
print(f"{values = }")
print(f"{indices = }")
print(f"{scores.grad = }")
