import torch

x = torch.tensor([[float("nan"), 2.0], [3.0, 4.0]])
w = torch.ones(2, requires_grad=True)
out = x @ w
keep = out.isfinite()
loss = out[keep].sum()
loss.backward()
print(f"{loss.item() = }")
print(f"{w.grad = }")
