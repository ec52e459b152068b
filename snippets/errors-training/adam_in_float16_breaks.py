import torch

w = torch.ones(2, dtype=torch.float16, requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
w.grad = torch.tensor([0.0, 1e-5], dtype=torch.float16)
optimizer.step()
print(f"{w = }")
