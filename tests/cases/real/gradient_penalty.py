import torch
from torch import autograd, nn

torch.manual_seed(0)
LAMBDA = 10
critic = nn.Sequential(nn.Linear(2, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
generator = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 2))
optimizer_c = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
optimizer_g = torch.optim.RMSprop(generator.parameters(), lr=1e-3)


def calc_gradient_penalty(netD, real_data, fake_data):
    alpha = torch.rand(real_data.size(0), 1)
    alpha = alpha.expand(real_data.size())
    interpolates = alpha * real_data + ((1 - alpha) * fake_data)
    interpolates = interpolates.detach().requires_grad_(True)
    disc_interpolates = netD(interpolates)
    gradients = autograd.grad(
        outputs=disc_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones(disc_interpolates.size()),
        create_graph=True,
        retain_graph=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


def sample(n):
    with torch.no_grad():
        noise = torch.randn(n, 3)
        return generator(noise)


for iteration in range(3):
    for p in critic.parameters():
        p.requires_grad = True
    for _ in range(2):
        real = torch.randn(4, 2)
        fake = sample(4)
        critic.zero_grad()
        loss = critic(fake).mean() - critic(real).mean()
        gradient_penalty = calc_gradient_penalty(critic, real.data, fake.data)
        (loss + gradient_penalty).backward()
        optimizer_c.step()
    for p in critic.parameters():
        p.requires_grad = False
    generator.zero_grad()
    g_loss = -critic(generator(torch.randn(4, 3))).mean()
    g_loss.backward()
    optimizer_g.step()
    print(iteration, round(loss.item(), 3), round(g_loss.item(), 3))
