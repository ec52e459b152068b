"""A made-up hyperspectral scene and its pixels as samples."""
import torch
from torch.utils.data import Dataset


def make_scene(bands, classes, side):
    ground_truth = torch.randint(0, classes, (side, side))
    spectra = torch.randn(classes, bands)
    return spectra[ground_truth] + 1.2 * torch.randn(side, side, bands), ground_truth


class HyperX(Dataset):
    def __init__(self, data, gt, rows):
        self.pixels = data[list(rows)].flatten(0, 1)
        self.labels = gt[list(rows)].flatten()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.pixels[i], self.labels[i]
