import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelCLR(nn.Module):
    def __init__(self, vocab_size, out_dim):
        super().__init__()
        # text tower
        self.token_embedding = nn.Embedding(vocab_size, 24, padding_idx=0)
        self.text_gru = nn.GRU(24, 24, batch_first=True)
        self.text_l1 = nn.Linear(24, 24)
        self.text_l2 = nn.Linear(24, out_dim)
        # image tower
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.res_l1 = nn.Linear(32, 32)
        self.res_l2 = nn.Linear(32, out_dim)

    def mean_pooling(self, outputs, mask):
        mask = mask.unsqueeze(-1).float()
        return (outputs * mask).sum(1) / mask.sum(1).clamp(min=1)

    def image_encoder(self, xis):
        h = self.features(xis).flatten(1)
        return self.res_l2(F.relu(self.res_l1(h)))

    def text_encoder(self, tokens):
        with torch.no_grad():  # cause: no-gradient
            outputs, _ = self.text_gru(self.token_embedding(tokens))
            sentence = self.mean_pooling(outputs, tokens != 0)
        x = F.relu(self.text_l1(sentence))
        return self.text_l2(x)

    def forward(self, xis, tokens):
        return self.image_encoder(xis), self.text_encoder(tokens)
