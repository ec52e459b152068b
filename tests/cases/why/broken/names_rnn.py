"""The loss of my surname classifier is 1.3501 after every epoch, whatever learning rate I try."""
import random
import string

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

ENDINGS = {"slavic": "ski", "greek": "os", "italian": "ini", "nordic": "sen"}
LETTERS = string.ascii_lowercase


def make_names(per_class, rng):
    rows = []
    for label, ending in enumerate(ENDINGS.values()):
        for _ in range(per_class):
            stem = "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, 5)))
            rows.append((stem + ending, label))
    rng.shuffle(rows)
    return rows


def collate(rows):
    seqs = [torch.tensor([LETTERS.index(c) + 1 for c in name]) for name, _ in rows]
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lengths, torch.tensor([y for _, y in rows])


class NameRNN(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(len(LETTERS) + 1, 16, padding_idx=0)
        self.gru = nn.GRU(16, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, len(ENDINGS))

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.fc(h[-1])


class Learner:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def one_batch(self, x, lengths, y):
        self.optim.zero_grad()
        loss = self.loss_fn(self.model(x, lengths), y)
        loss.backward()
        self.optim.step  # cause: step
        return loss.item()


def main():
    rng = random.Random(99)
    torch.manual_seed(99)
    rows = make_names(60, rng)
    learner = Learner(NameRNN(), lr=1e-2)
    for epoch in range(6):
        rng.shuffle(rows)
        losses = [learner.one_batch(*collate(rows[k:k + 40])) for k in range(0, len(rows), 40)]
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main()
