"""My GAN runs out of memory at a batch size that my friend can use, although the two networks are the same."""
import math

import torch
import torch.nn as nn

device = "cpu"
nz, batch_size = 8, 64


def sample_moons(n):
    t = math.pi * torch.rand(n)
    top = torch.rand(n) < 0.5
    x = torch.where(top, torch.cos(t), 1 - torch.cos(t))
    y = torch.where(top, torch.sin(t), 0.5 - torch.sin(t))
    return torch.stack([x, y], dim=1) + 0.05 * torch.randn(n, 2)


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.15)
        nn.init.zeros_(m.bias)


netG = nn.Sequential(
    nn.Linear(nz, 32), nn.LeakyReLU(0.2),
    nn.Linear(32, 32), nn.LeakyReLU(0.2),
    nn.Linear(32, 2),
)
netD = nn.Sequential(
    nn.Linear(2, 32), nn.LeakyReLU(0.2),
    nn.Linear(32, 32), nn.LeakyReLU(0.2),
    nn.Linear(32, 1),
)

torch.manual_seed(77)
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.999))
real_label = torch.ones(batch_size, 1)
fake_label = torch.zeros(batch_size, 1)

for i in range(120):
    # (1) Update D: maximize log(D(x)) + log(1 - D(G(z)))
    real = sample_moons(batch_size).to(device)
    fake = netG(torch.randn(batch_size, nz, device=device))
    netD.zero_grad()
    errD_real = criterion(netD(real), real_label)
    errD_fake = criterion(netD(fake.detach()), fake_label)
    errD = errD_real + errD_fake
    errD.backward()
    optimizerD.step()

    # (2) Update G: maximize log(D(G(z)))
    netG.zero_grad()
    errG = criterion(netD(fake), real_label)
    errG.backward()
    optimizerG.step()

    if i % 20 == 0:
        print(f"[{i}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")

with torch.no_grad():
    made = netG(torch.randn(500, nz))
print("fake mean", made.mean(0).tolist(), "real mean", sample_moons(500).mean(0).tolist())
