import torch

w = torch.tensor(2.0, requires_grad=True)
h1 = w * 1.0
h2 = w * h1
carried = h2.detach()  # instead of .detach(): nothing
h3 = w * carried
h4 = w * h3
h4.backward()
print(f"{h4 = }")
print(f"{w.grad = }")
