import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent, size):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, size))

    def forward(self, z):
        return torch.tanh(self.net(z))


class Discriminator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, image):
        return torch.sigmoid(self.net(image))
