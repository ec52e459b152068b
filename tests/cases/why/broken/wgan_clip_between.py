"""No error, but the gradients aren't those of the loss, because the clipping goes through .data, after "Wrong Implementation"."""
import torch
import torch.nn as nn

torch.manual_seed(5)
CLIP, N_CRITIC, STEPS = 0.05, 3, 40


def mlp(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def real_batch(n=64):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 2.0


netG, netC = mlp([3, 32, 2]), mlp([2, 32, 32, 1])
optG = torch.optim.RMSprop(netG.parameters(), lr=2e-3)
optC = torch.optim.RMSprop(netC.parameters(), lr=2e-3)


def critic_step():
    real = real_batch()
    with torch.no_grad():
        fake = netG(torch.randn(64, 3))
    loss_C = netC(fake).mean() - netC(real).mean()
    for p in netC.parameters():
        p.data.clamp_(-CLIP, CLIP)  # cause: in-place
    optC.zero_grad()
    loss_C.backward()  # suffers
    optC.step()
    return loss_C.item()


def generator_step():
    for p in netC.parameters():
        p.requires_grad_(False)
    loss_G = -netC(netG(torch.randn(64, 3))).mean()
    optG.zero_grad()
    loss_G.backward()
    optG.step()
    for p in netC.parameters():
        p.requires_grad_(True)
    return loss_G.item()


for step in range(STEPS):
    for _ in range(N_CRITIC):
        loss_C = critic_step()
    loss_G = generator_step()
    if step % 10 == 0:
        widest = max(p.abs().max().item() for p in netC.parameters())
        print(f"{step:3d}  critic {loss_C:+.6f}  generator {loss_G:+.6f}  widest weight {widest:.3f}")
