import torch
import torch.nn as nn


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.LeakyReLU(0.2, inplace=True),
                                  nn.Flatten(), nn.Linear(4 * 16, 1), nn.Sigmoid())

    def forward(self, input):
        output = self.main(input)
        return output.view(-1)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


torch.manual_seed(1)
netD = Discriminator()
netD.apply(weights_init)
netG = nn.Sequential(nn.Linear(3, 16), nn.Unflatten(1, (1, 4, 4)), nn.Tanh())
criterion = nn.BCELoss()
optD = torch.optim.SGD(netD.parameters(), lr=0.1)
optG = torch.optim.SGD(netG.parameters(), lr=0.1)
for step in range(3):
    optD.zero_grad(); real = torch.randn(4, 1, 4, 4)
    loss_real = criterion(netD(real), torch.ones(4))
    fake = netG(torch.randn(4, 3))
    loss_fake = criterion(netD(fake.detach()), torch.zeros(4))
    loss_D = loss_real + loss_fake
    loss_D.backward()
    optD.step()
    optG.zero_grad(); loss_G = criterion(netD(fake), torch.ones(4)); loss_G.backward()
    optG.step()
    print(step, round(loss_D.item(), 3), round(loss_G.item(), 3))
