import math

import torch

torch.manual_seed(0)
x = torch.linspace(-math.pi, math.pi, 100)
y = torch.sin(x)
a = torch.randn((), requires_grad=True)
b = torch.randn((), requires_grad=True)
c = torch.randn((), requires_grad=True)
learning_rate = 1e-4
for t in range(1000):
    y_pred = a + b * x + c * x**2
    loss = (y_pred - y).pow(2).sum()
    if t % 250 == 249:
        print(t, loss.item())
    loss.backward()
    with torch.no_grad():
        a -= learning_rate * a.grad
        b -= learning_rate * b.grad
        c -= learning_rate * c.grad
        a.grad = None
        b.grad = None
        c.grad = None
print(f"y = {a.item():.3f} + {b.item():.3f} x + {c.item():.3f} x^2")
