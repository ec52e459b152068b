"""Each update_cpc() steps the encoder twice with one gradient
(after "encoder updated twice for curl loss")."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(23)


class PixelEncoder(nn.Module):
    def __init__(self, feature_dim):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(3, 8, 3, stride=2), nn.Conv2d(8, 8, 3)])
        self.fc = nn.Linear(8 * 4 * 4, feature_dim)
        self.ln = nn.LayerNorm(feature_dim)

    def forward(self, obs):
        for conv in self.convs:
            obs = torch.relu(conv(obs))
        return self.ln(self.fc(obs.flatten(1)))


class CURL(nn.Module):
    def __init__(self, z_dim, encoder):
        super().__init__()
        self.encoder = encoder
        self.W = nn.Parameter(torch.rand(z_dim, z_dim))

    def compute_logits(self, z_a, z_pos):
        logits = z_a @ (self.W @ z_pos.t())
        return logits - logits.max(dim=1, keepdim=True)[0].detach()


class CurlSacAgent:
    def __init__(self, feature_dim=10, lr=3e-3):
        self.encoder = PixelEncoder(feature_dim)
        self.CURL = CURL(feature_dim, self.encoder)
        self.encoder_optimizer = torch.optim.Adam(self.encoder.parameters(), lr=lr)
        self.cpc_optimizer = torch.optim.Adam([self.CURL.W], lr=lr)
        self.cross_entropy_loss = nn.CrossEntropyLoss()

    def update_cpc(self, obs_anchor, obs_pos):
        z_a, z_pos = self.encoder(obs_anchor), self.encoder(obs_pos)
        logits = self.CURL.compute_logits(z_a, z_pos)
        loss = self.cross_entropy_loss(logits, torch.arange(len(logits)))
        self.encoder_optimizer.zero_grad()
        self.cpc_optimizer.zero_grad()
        loss.backward()
        self.encoder_optimizer.step()
        self.cpc_optimizer.step()
        return loss.item()


def random_crop(imgs, out=13):
    top, left = torch.randint(imgs.size(-1) - out + 1, (2,)).tolist()
    return imgs[:, :, top:top + out, left:left + out]


if __name__ == "__main__":
    replay = F.interpolate(torch.rand(128, 3, 5, 5), size=16)
    agent = CurlSacAgent()
    for step in range(60):
        obs = replay[torch.randint(len(replay), (16,))]
        loss = agent.update_cpc(random_crop(obs), random_crop(obs))
        if step % 15 == 0:
            print("| train/curl_loss", step, round(loss, 4))
