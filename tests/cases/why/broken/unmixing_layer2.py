"""layer2's weights are the same before and after training
(after "layer2 is defined but not used in MiSiCNet forward pass")."""
import torch
import torch.nn as nn

torch.manual_seed(11)
BANDS, ENDMEMBERS, SIDE = 24, 3, 16


def block(cin, cout, kernel):
    return nn.Sequential(
        nn.ReflectionPad2d(kernel // 2),
        nn.Conv2d(cin, cout, kernel, bias=False),
        nn.BatchNorm2d(cout),
        nn.LeakyReLU(0.1),
    )


class UnmixNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer_in = block(BANDS, 16, 1)
        self.layer1 = block(16, 16, 3)
        self.layer2 = block(16, 16, 3)
        self.layerskip = block(BANDS, 4, 1)
        self.layer_out = nn.Conv2d(20, ENDMEMBERS, 1)

    def forward(self, x):
        skip = self.layerskip(x)
        x1 = self.layer1(self.layer_in(x))
        x2 = self.layer1(x1)  # cause: unused
        return torch.softmax(self.layer_out(torch.cat([x2, skip], dim=1)), dim=1)


class Unmixing:
    def __init__(self, endmembers, niters=60, lr=0.01):
        self.E, self.niters, self.lr = endmembers, niters, lr

    def loss(self, abundances, observed):
        estimate = torch.einsum("bp,npij->nbij", self.E, abundances)
        return 0.5 * (estimate - observed).pow(2).mean()

    def solve(self, observed):
        self.net = UnmixNet()
        optimizer = torch.optim.Adam(self.net.parameters(), lr=self.lr)
        for it in range(self.niters):
            optimizer.zero_grad()
            loss = self.loss(self.net(observed), observed)
            loss.backward()
            optimizer.step()
            if it % 15 == 0:
                print("iter", it, "loss", f"{loss.item():.5f}")
        self.net.eval()
        with torch.no_grad():
            return self.net(observed)


E = torch.rand(BANDS, ENDMEMBERS)
A = torch.softmax(3 * torch.randn(1, ENDMEMBERS, SIDE, SIDE), dim=1)
Y = torch.einsum("bp,npij->nbij", E, A) + 0.01 * torch.randn(1, BANDS, SIDE, SIDE)
A_hat = Unmixing(E).solve(Y)
print("abundance rmse", (A_hat - A).pow(2).mean().sqrt().item())
