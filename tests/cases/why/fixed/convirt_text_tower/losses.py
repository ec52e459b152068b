import torch
import torch.nn as nn
import torch.nn.functional as F


class NTXentLoss(nn.Module):
    def __init__(self, temperature, alpha_weight):
        super().__init__()
        self.temperature = temperature
        self.alpha_weight = alpha_weight

    def forward(self, zis, zjs):
        zis, zjs = F.normalize(zis, dim=1), F.normalize(zjs, dim=1)
        logits = zis @ zjs.t() / self.temperature
        labels = torch.arange(len(zis))
        loss_a = F.cross_entropy(logits, labels)
        loss_b = F.cross_entropy(logits.t(), labels)
        return self.alpha_weight * loss_a + (1 - self.alpha_weight) * loss_b
