import argparse

import torch
from networks import Discriminator, Generator
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--latent", type=int, default=4)
opt = parser.parse_args()

torch.manual_seed(0)
netG, netD = Generator(opt.latent, 6), Discriminator(6)
criterion = nn.BCELoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
fixed_noise = torch.randn(5, opt.latent)
images = torch.randn(2, 5, 6)

for epoch in range(opt.epochs):
    for i, real in enumerate(images):
        netD.zero_grad()
        label = torch.full((5, 1), 1.0)
        output = netD(real)
        errD_real = criterion(output, label)
        errD_real.backward()
        noise = torch.randn(5, opt.latent)
        fake = netG(noise)
        label.fill_(0.0)
        output = netD(fake.detach())
        errD_fake = criterion(output, label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        label.fill_(1.0)
        output = netD(fake)
        errG = criterion(output, label)
        errG.backward()
        optimizerG.step()
    with torch.no_grad():
        shown = netG(fixed_noise).detach()
    print(epoch, f"{errD.item():.3f} {errG.item():.3f}", tuple(shown.shape))
