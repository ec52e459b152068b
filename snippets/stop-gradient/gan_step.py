import torch
from torch import nn

torch.manual_seed(0)
netG, netD = nn.Linear(2, 3), nn.Linear(3, 1)
optimizerG = torch.optim.SGD(netG.parameters(), lr=0.1)
optimizerD = torch.optim.SGD(netD.parameters(), lr=0.1)
criterion = nn.BCEWithLogitsLoss()
real, noise = torch.randn(4, 3) + 2, torch.randn(4, 2)

netD.zero_grad()
label = torch.ones(4, 1)
criterion(netD(real), label).backward()
fake = netG(noise)
label.fill_(0.0)
criterion(netD(fake.detach()), label).backward()
print(f"{netG.weight.grad = }")
print(f"{fake.grad_fn.name() = }")
optimizerD.step()

netG.zero_grad()
label.fill_(1.0)
criterion(netD(fake), label).backward()
print(f"{netG.weight.grad.shape = }")
optimizerG.step()
