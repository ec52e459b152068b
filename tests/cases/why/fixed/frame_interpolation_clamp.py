"""The refine net's weights have no gradient but zeros
(after "question on torch.clamp() function blocking gradient propagation")."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    """Frames as uint8, as they come out of the video: first, middle, last."""

    def __init__(self, n):
        first = torch.randint(30, 190, (n, 3, 10, 10))
        step = torch.randint(5, 20, (n, 3, 1, 1))
        self.frames = torch.stack([first, first + step + 6, first + 2 * step], dim=1).to(torch.uint8)

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, index):
        img0, gt, img1 = self.frames[index].float()
        return img0, gt, img1


class RefineNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.down = nn.Conv2d(6, c, 3, padding=1)
        self.prelu = nn.PReLU(c)
        self.up = nn.Conv2d(c, 4, 3, padding=1)

    def forward(self, img0, img1):
        x = torch.cat([img0, img1], dim=1) / 255.0 - 0.5
        return self.up(self.prelu(self.down(x)))


class Model:
    def __init__(self, lr):
        self.net = RefineNet()
        self.optimG = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=0)

    def inference(self, img0, img1):
        tmp = self.net(img0, img1)
        mask = torch.sigmoid(tmp[:, 3:])
        merged = img0 * mask + img1 * (1 - mask)
        return torch.clamp(merged + 4 * tmp[:, :3], 0, 255)

    def update(self, img0, gt, img1, training=True):
        self.net.train(training)
        with torch.set_grad_enabled(training):
            loss = (self.inference(img0, img1) - gt).abs().mean()
        if training:
            self.optimG.zero_grad()
            loss.backward()
            self.optimG.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Model(lr=1e-2)
    train_data, val_data = DataLoader(Triplets(64), batch_size=8, shuffle=True), DataLoader(Triplets(16), 16)
    for epoch in range(6):
        losses = [model.update(*imgs) for imgs in train_data]
        val = [model.update(*imgs, training=False) for imgs in val_data]
        print("epoch:{} loss:{:.4f} val:{:.4f}".format(epoch, sum(losses) / len(losses), sum(val) / len(val)))
