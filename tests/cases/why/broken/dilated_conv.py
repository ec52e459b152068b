"""UserWarning about duplicate parameters, and my WaveNet acts as if the learning rate were several times bigger."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.pad = dilation
        self.conv = nn.Conv1d(channels, 2 * channels, 2, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        a, b = self.conv(F.pad(x, (self.pad, 0))).chunk(2, dim=1)
        return x + self.mix(torch.tanh(a) * torch.sigmoid(b))


class TinyWaveNet(nn.Module):
    def __init__(self, channels=12, levels=4):
        super().__init__()
        self.inp = nn.Conv1d(1, channels, 1)
        self.stack = nn.Sequential(*[CausalConv(channels, 2 ** i) for i in range(levels)])
        self.out = nn.Conv1d(channels, 1, 1)

    def forward(self, x):
        return self.out(self.stack(self.inp(x)))


def collect_params(model):
    """All convolution weights and biases, layer by layer, so that I can set rates per layer later."""
    params = []
    for name, module in model.named_modules():
        params += list(module.parameters())  # cause: twice-in-optimizer
    return params


def batches(steps, batch=16, length=64):
    g = torch.Generator().manual_seed(3)
    t = torch.arange(length + 1) * 0.2
    for _ in range(steps):
        phase = torch.rand(batch, 1, generator=g) * 6.28
        speed = 0.5 + torch.rand(batch, 1, generator=g)
        wave = torch.sin(speed * t + phase).unsqueeze(1)
        yield wave[..., :-1], wave[..., 1:]


if __name__ == "__main__":
    torch.manual_seed(3)
    model = TinyWaveNet()
    params = collect_params(model)
    print("tensors handed to SGD:", len(params), "of", len(list(model.parameters())))
    optimizer = torch.optim.SGD(params, lr=0.02)
    for step, (x, y) in enumerate(batches(60)):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print("step", step, "loss", round(loss.item(), 5))
