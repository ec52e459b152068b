"""The encoder was fine, the discriminator loss jumped about, after "optimizer_D.zero_grad() missing?"."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
Z_DIM, IMG = 8, 32


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(IMG, 48), nn.LeakyReLU(0.2), nn.Linear(48, Z_DIM))

    def forward(self, img):
        return self.body(img)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(IMG, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))

    def forward(self, img):
        return self.body(img)


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


E, D = Encoder(), Discriminator()
G = nn.Sequential(nn.Linear(Z_DIM, 48), nn.ReLU(), nn.Linear(48, IMG))  # the pretrained generator
set_requires_grad(G, False)

optimizer_E = torch.optim.Adam(E.parameters(), lr=1e-3)
optimizer_D = torch.optim.SGD(D.parameters(), lr=5e-2)
reals = DataLoader(TensorDataset(torch.randn(256, IMG)), batch_size=32, shuffle=True)

for epoch in range(6):
    for it, (x_real,) in enumerate(reals):
        # --- encoder ---
        set_requires_grad(D, False)
        x_rec = G(E(x_real))
        loss_pix = F.l1_loss(x_rec, x_real)
        loss_adv = F.softplus(-D(x_rec)).mean()
        E_loss = loss_pix + 0.1 * loss_adv
        optimizer_E.zero_grad()
        E_loss.backward()
        optimizer_E.step()

        # --- discriminator ---
        set_requires_grad(D, True)
        real_loss = F.softplus(-D(x_real)).mean()
        fake_loss = F.softplus(D(x_rec.detach())).mean()
        D_loss = real_loss + fake_loss
        D_loss.backward()  # cause: accumulates
        optimizer_D.step()
    norm = torch.cat([p.grad.flatten() for p in D.parameters()]).norm()
    print(f"[{epoch}] E {E_loss.item():.4f}  D {D_loss.item():.4f}  |grad D| {norm.item():.4f}")
