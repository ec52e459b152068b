"""A one-dimensional convolutional net over the bands of a pixel."""
import torch
from torch import nn


class HuNet(nn.Module):
    def __init__(self, bands, classes, kernel=7, dropout=0.5):
        super().__init__()
        self.conv = nn.Conv1d(1, 10, kernel)
        self.pool = nn.MaxPool1d(2)
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(10 * ((bands - kernel + 1) // 2), classes)

    def forward(self, x):
        x = self.pool(torch.tanh(self.conv(x.unsqueeze(1))))
        return self.fc(self.dropout(x.flatten(1)))
