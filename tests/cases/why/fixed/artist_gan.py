"""backward() of the generator's loss raised, in PyTorch 1.5 and later, after "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation?"."""
import math

import torch
import torch.nn as nn

torch.manual_seed(1)

BATCH_SIZE = 64
LR_G = 0.0005
LR_D = 0.0005
N_IDEAS = 5
ART_COMPONENTS = 15
PAINT_POINTS = torch.linspace(-1, 1, ART_COMPONENTS).repeat(BATCH_SIZE, 1)


def artist_works():  # painting from the famous artist (real target)
    r = 0.02 * torch.randn(1, ART_COMPONENTS)
    return torch.sin(PAINT_POINTS * math.pi) + r


G = nn.Sequential(  # Generator
    nn.Linear(N_IDEAS, 128),
    nn.ReLU(),
    nn.Linear(128, ART_COMPONENTS),
)

D = nn.Sequential(  # Discriminator
    nn.Linear(ART_COMPONENTS, 128),
    nn.ReLU(),
    nn.Linear(128, 1),
    nn.Sigmoid(),
)

opt_D = torch.optim.Adam(D.parameters(), lr=LR_D)
opt_G = torch.optim.Adam(G.parameters(), lr=LR_G)

for step in range(150):
    artist_paintings = artist_works()
    G_ideas = torch.randn(BATCH_SIZE, N_IDEAS)
    G_paintings = G(G_ideas)

    prob_artist0 = D(artist_paintings)
    prob_artist1 = D(G_paintings.detach())

    D_loss = -torch.mean(torch.log(prob_artist0) + torch.log(1.0 - prob_artist1))

    opt_D.zero_grad()
    D_loss.backward()
    opt_D.step()

    G_loss = torch.mean(torch.log(1.0 - D(G_paintings)))
    opt_G.zero_grad()
    G_loss.backward()
    opt_G.step()

    if step % 50 == 0:
        print("step", step, "D", D_loss.item(), "G", G_loss.item())
