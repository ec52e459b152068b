"""Programs whose traces are looked at, by name."""

import functools

from support.trace.warm import traced

PROGRAMS = {
    "detach": """import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x.detach()
y.backward()
print(x.grad)
""",
    "in_place": """import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
out = x.sigmoid()
out.zero_()
out.sum().backward()
""",
    "twice": """import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
y.backward(retain_graph=True)
print(x.grad)
y.backward()
print(x.grad)
y.backward()
""",
    "custom": """import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2


x = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(x)
y.backward()
print(x.grad)
""",
    "no_grad": """import torch

w = torch.tensor([1.0, -1.0], requires_grad=True)
loss = (w**2).sum()
loss.backward()
with torch.no_grad():
    w -= 0.1 * w.grad
    z = w * 2
w.grad = None
print(w, z.requires_grad)
""",
    "hooks": """import torch


def show(grad):
    print("hook got", grad)
    return grad * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.register_hook(show)
x.register_post_accumulate_grad_hook(lambda p: print("x.grad is", p.grad))
z = y.sum()
z.backward()
""",
    "views": """import torch

base = torch.ones(4, requires_grad=True)
a = base * 2
row = a.view(2, 2)[0]
row.mul_(10)
print(a)
a.sum().backward()
print(base.grad)
""",
    "training": """import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 8).unsqueeze(1)
target = 3 * x + 1
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(100):
    optimizer.zero_grad()
    loss = ((model(x) - target) ** 2).mean()
    loss.backward()
    optimizer.step()
print(model.weight, model.bias)
""",
    "grows": """import torch

w = torch.tensor(0.5, requires_grad=True)
total = 0.0
for i in range(12):
    loss = (w * i - 1) ** 2
    total = total + loss
print(total)
total.backward()
print(w.grad)
""",
    "module": """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 20)
        self.second = nn.Linear(20, 1)

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        return self.second(hidden)


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


torch.manual_seed(0)
x, y = torch.randn(32, 10), torch.randn(32, 1)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    loss = step(model, optimizer, x, y)
    print(f"{epoch}: {loss:.4f}")
""",
    "silent": """import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
x.data.mul_(10)
y.sum().backward()
print(x.grad)
""",
    "text": """import torch

said = "</script><b>not bold</b> & <!-- 한글 -->"
x = torch.tensor([[1.0, float("nan")], [float("inf"), 4.0]])
many = {f"t{i}": torch.tensor(float(i)) for i in range(10)}
print(said)
large = torch.randn(100, 100)
raise ValueError(said)
""",
}


@functools.cache
def trace_of(name):
    """Return the trace of one of the programs."""
    return traced(f"{name}.py", PROGRAMS[name])[0]
