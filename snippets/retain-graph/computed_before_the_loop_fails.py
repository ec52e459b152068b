# raises: RuntimeError
import torch

w = torch.tensor(3.0, requires_grad=True)
scale = w.exp()
for data in [1.0, 2.0]:
    loss = scale * data
    loss.backward()
    print(f"{data = }")
