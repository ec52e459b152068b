import torch

x = torch.tensor([1.0, 2.0, 3.0, 6.0])
whole = torch.tensor(1.0, requires_grad=True)
(whole * x).mean().backward()

parts = torch.tensor(1.0, requires_grad=True)
for part in x.chunk(2):
    ((parts * part).mean() / 2).backward()
print(f"{whole.grad = }")
print(f"{parts.grad = }")
holds = not torch.equal(parts.grad, whole.grad)
print(f"{holds = }")
