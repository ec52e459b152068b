"""The validation accuracy changed from run to run of the same net, after "why during validation not using model.eval()?"."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader

from datasets import HyperX, make_scene
from engine import train, val
from models import HuNet


def main():
    torch.manual_seed(51)
    image, ground_truth = make_scene(bands=30, classes=4, side=20)
    train_set = HyperX(image, ground_truth, rows=range(0, 14))
    val_set = HyperX(image, ground_truth, rows=range(14, 20))
    train_loader = DataLoader(train_set, batch_size=40, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=40)

    net = HuNet(bands=30, classes=4)
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    train(net, optimizer, nn.CrossEntropyLoss(), train_loader, epochs=4, val_loader=val_loader)
    print("once more  ", val(net, val_loader))
    print("and again  ", val(net, val_loader))


main()
