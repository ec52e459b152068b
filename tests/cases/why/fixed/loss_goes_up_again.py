"""The loss fell for ten steps and then climbed again and swung up and down, after "Missing zero_grad() call"."""
import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.optim import SGD

torch.manual_seed(7)

# two samples, four inputs, two outputs
x = torch.tensor([[0.1, 0.2, 0.4, 0.3], [0.2, 0.1, 0.1, 0.3]])
y = torch.tensor([[1.0, 0.5], [0.7, 0.3]])

N_EPOCHS = 60


def build_model(n_in, n_hidden, n_out):
    return nn.Sequential(
        nn.Linear(n_in, n_hidden),
        nn.Tanh(),
        nn.Linear(n_hidden, n_out),
    )


model = build_model(4, 3, 2)
opt = SGD(model.parameters(), lr=0.1)

for epoch in range(N_EPOCHS):
    pred = model(x)
    loss = mse_loss(pred, y)

    # run training (backward propagation)
    opt.zero_grad()
    loss.backward()
    opt.step()

    if epoch % 5 == 0:
        print("Loss error: {:.16f}".format(loss.item()))

print("done, last loss", loss.item())
