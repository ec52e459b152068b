import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
per_sample = torch.tensor([[1.0, 0.0, 2.0], [1.0, 4.0, 0.0]])
w.grad = per_sample.sum(dim=0)
print(f"{w.grad = }")
torch.optim.SGD([w], lr=0.5).step()
print(f"{w = }")
