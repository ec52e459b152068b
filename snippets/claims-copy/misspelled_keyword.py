import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
try:
    y.backward(retrain_graph=True)
except TypeError as error:
    print(f"TypeError: {error}")
holds = x.grad is not None
print(f"{holds = }")
