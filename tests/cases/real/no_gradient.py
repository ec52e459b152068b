import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
encoder, head = nn.Linear(4, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(5, 4), torch.randn(5, 1)
for epoch in range(2):
    features = encoder(x).detach().numpy()
    features = torch.from_numpy((features - features.mean(0)) / np.std(features)).float()
    prediction = head(features)
    loss = ((prediction - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
for name, parameter in encoder.named_parameters():
    print(name, parameter.grad)
