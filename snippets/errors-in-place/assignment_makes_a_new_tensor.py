import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
(w * w).backward()
w = w - 0.25 * w.grad
print(f"{w.is_leaf = }")
print(f"{optimizer.param_groups[0]['params'][0] is w = }")
