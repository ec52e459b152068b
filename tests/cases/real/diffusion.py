import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
timesteps = 5
betas = torch.linspace(1e-4, 0.2, timesteps)
alphas = 1.0 - betas
alphas_cumprod = torch.cumprod(alphas, axis=0)


def extract(a, t, x_shape):
    out = a.gather(-1, t)
    return out.reshape(t.shape[0], *((1,) * (len(x_shape) - 1)))


def q_sample(x_start, t, noise):
    scale = extract(alphas_cumprod.sqrt(), t, x_start.shape)
    return scale * x_start + extract((1 - alphas_cumprod).sqrt(), t, x_start.shape) * noise


class Denoiser(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.time = nn.Embedding(timesteps, 4)
        self.net = nn.Sequential(nn.Linear(dim + 4, 8), nn.SiLU(), nn.Linear(8, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=-1))


@torch.no_grad()
def sample(model, shape):
    img = torch.randn(shape)
    for i in reversed(range(timesteps)):
        t = torch.full((shape[0],), i, dtype=torch.long)
        noise = model(img, t)
        img = (img - betas[i] / (1 - alphas_cumprod[i]).sqrt() * noise) / alphas[i].sqrt()
        if i > 0:
            img += betas[i].sqrt() * torch.randn_like(img)
    return img


model = Denoiser(3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(2):
    optimizer.zero_grad()
    batch = torch.rand(4, 3)
    t = torch.randint(0, timesteps, (4,)).long()
    noise = torch.randn_like(batch)
    loss = F.smooth_l1_loss(noise, model(q_sample(batch, t, noise), t))
    loss.backward()
    optimizer.step()
    print(f"Loss: {loss.item():.4f}")
print(sample(model, (2, 3)).shape)
