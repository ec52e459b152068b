import torch

torch.manual_seed(0)
layers = []
for _ in range(20):
    layers += [torch.nn.Linear(4, 4), torch.nn.ReLU()]
net = torch.nn.Sequential(*layers)
loss = net(torch.ones(2, 4)).mean()
loss.backward()
