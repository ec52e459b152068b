"""BatchNorm trained with the mean and variance it began with, after "About the .train() and .eval() mode."."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class ConvBNReLU(nn.Sequential):
    def __init__(self, c_in, c_out):
        super().__init__(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU())


class SaliencyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(ConvBNReLU(3, 8), ConvBNReLU(8, 8))
        self.score = nn.Conv2d(8, 1, 1)

    def forward(self, image):
        return self.score(self.features(image))


class Solver(object):
    def __init__(self, train_loader, test_loader, lr=5e-3, epoch=6):
        self.train_loader, self.test_loader = train_loader, test_loader
        self.lr, self.epoch = lr, epoch
        self.build_model()

    def build_model(self):
        self.net = SaliencyNet()
        self.net.eval()  # cause: mode
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=self.lr)

    def train(self):
        for epoch in range(self.epoch):
            r_sal_loss = 0.0
            for sal_image, sal_label in self.train_loader:
                sal_pred = self.net(sal_image)  # suffers
                sal_loss = F.binary_cross_entropy_with_logits(sal_pred, sal_label)
                r_sal_loss += sal_loss.item()
                self.optimizer.zero_grad()
                sal_loss.backward()
                self.optimizer.step()
            r_sal_loss /= len(self.train_loader)
            print("epoch: [%d/%d] || Sal : %.4f" % (epoch + 1, self.epoch, r_sal_loss))

    def test(self):
        self.net.eval()
        with torch.no_grad():
            errors = [(torch.sigmoid(self.net(x)) - y).abs().mean().item() for x, y in self.test_loader]
        print("MAE %.4f" % (sum(errors) / len(errors)))
        print("running mean of the first BatchNorm:", self.net.features[0][1].running_mean.tolist()[:3])


def make_loader(n, batch_size):
    masks = torch.zeros(n, 1, 12, 12)
    for mask in masks:
        r, c = torch.randint(0, 7, (2,)).tolist()
        mask[0, r:r + 5, c:c + 5] = 1.0
    images = 40.0 + 20.0 * masks + 8.0 * torch.randn(n, 3, 12, 12)
    return DataLoader(TensorDataset(images, masks), batch_size=batch_size)


if __name__ == "__main__":
    torch.manual_seed(30)
    solver = Solver(make_loader(64, 8), make_loader(16, 8))
    solver.train()
    solver.test()
