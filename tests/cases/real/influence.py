import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
train_x, train_y = torch.randn(6, 3), torch.randn(6, 1)
test_x, test_y = torch.randn(1, 3), torch.randn(1, 1)


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def loss_fn(x, y):
    return 0.5 * (model(x) - y).pow(2).mean()


def hvp(vector, damping=0.01):
    params = list(model.parameters())
    grads = torch.autograd.grad(loss_fn(train_x, train_y), params, create_graph=True)
    product = (flat(grads) * vector).sum()
    return flat(torch.autograd.grad(product, params)).detach() + damping * vector


def conjugate_gradient(b, iterations=3):
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), r.dot(r)
    for _ in range(iterations):
        hp = hvp(p)
        alpha = rr / p.dot(hp)
        x += alpha * p
        r -= alpha * hp
        new = r.dot(r)
        p = r + new / rr * p
        rr = new
    return x


v = flat(torch.autograd.grad(loss_fn(test_x, test_y), list(model.parameters())))
s_test = conjugate_gradient(v)
for i in range(2):
    g = flat(torch.autograd.grad(loss_fn(train_x[i : i + 1], train_y[i : i + 1]), list(model.parameters())))
    print(f"influence of {i}: {-s_test.dot(g).item():.4f}")
