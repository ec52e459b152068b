import torch

w = torch.tensor(3.0, requires_grad=True)
total = torch.tensor(0.0)
for data in [1.0, 10.0, 100.0]:
    total = total + w * data
    total.backward(retain_graph=True)
    print(f"{w.grad = }")
