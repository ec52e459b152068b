import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
hidden = torch.zeros(3)
optimizer = torch.optim.SGD([w], lr=0.1)
for t in range(3):
    hidden = torch.tanh(hidden + w)
    loss = hidden.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
