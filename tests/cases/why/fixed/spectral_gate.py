"""My learnable noise threshold stays at exactly 0.1 for the whole training while the other weights move."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(7)
N_FFT = 64


class NoisyTones(Dataset):
    def __init__(self, n=256):
        t = torch.arange(N_FFT) / N_FFT
        freqs = torch.randint(2, 20, (n, 1)).float()
        phase = torch.rand(n, 1) * 2 * math.pi
        self.clean = torch.sin(2 * math.pi * freqs * t + phase)
        self.noisy = self.clean + 0.4 * torch.randn(n, N_FFT)

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        return self.noisy[i], self.clean[i]


class SpectralGate(nn.Module):
    """Keeps the frequency bins that are louder than a learned level, scales the rest away."""

    def __init__(self, bins):
        super().__init__()
        self.threshold = nn.Parameter(torch.full((bins,), 0.1))
        self.gain = nn.Parameter(torch.ones(bins))

    def forward(self, wave):
        spec = torch.fft.rfft(wave, norm="forward")
        level = spec.abs()
        mask = torch.sigmoid(50 * (level - self.threshold))
        return torch.fft.irfft(spec * mask * self.gain, n=wave.shape[-1], norm="forward")


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = SpectralGate(N_FFT // 2 + 1)
        self.post = nn.Conv1d(1, 1, kernel_size=5, padding=2)

    def forward(self, wave):
        gated = self.gate(wave)
        return self.post(gated.unsqueeze(1)).squeeze(1)


def main():
    loader = DataLoader(NoisyTones(), batch_size=32, shuffle=True)
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(12):
        total = 0.0
        for noisy, clean in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(noisy), clean)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch:2d}  mse {total / len(loader):.4f}"
              f"  threshold {net.gate.threshold.mean().item():.6f}")


if __name__ == "__main__":
    main()
