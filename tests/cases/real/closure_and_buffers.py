import torch
from torch import nn

torch.manual_seed(0)


class EMA:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self):
        for name, p in self.model.named_parameters():
            new_average = (1.0 - self.decay) * p.data + self.decay * self.shadow[name]
            self.shadow[name] = new_average.clone()


def batches(x, y, size):
    for i in range(0, len(x), size):
        yield x[i : i + size], y[i : i + size]


model = nn.Linear(2, 1)
ema = EMA(model, 0.9)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3)
x = torch.randn(6, 2)
y = x.sum(1, keepdim=True)
for xb, yb in batches(x, y, 3):

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    ema.update()
    print(f"{loss.item():.3f}")
print(tuple(ema.shadow["weight"].shape))
