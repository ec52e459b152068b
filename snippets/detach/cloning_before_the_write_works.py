import torch

a = torch.tensor(0.0, requires_grad=True)
out = a.sigmoid()
c = out.detach().clone()  # or: out.detach() raises RuntimeError | out.data | out.clone()
c.zero_()
print(f"{out = }")
print(f"{out._version = }")
out.backward()
print(f"{a.grad = }")
