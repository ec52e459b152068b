"""The hook on a[0] was never called while the loss used a, after "Segfault in autograd using hook"."""
import torch
from torch import nn

PAD = 0
VOCAB = ["<pad>", "good", "great", "fine", "bad", "awful", "poor", "film", "plot", "the"]
GOOD, BAD, REST = [1, 2, 3], [4, 5, 6], [7, 8, 9]


def make_reviews(n, length=6):
    rows, labels = [], []
    for _ in range(n):
        label = int(torch.rand(1) < 0.5)
        words = torch.tensor(GOOD if label else BAD)[torch.randint(0, 3, (2,))].tolist()
        words += torch.tensor(REST)[torch.randint(0, 3, (int(torch.randint(1, 4, (1,))),))].tolist()
        rows.append(words + [PAD] * (length - len(words)))
        labels.append(float(label))
    return torch.tensor(rows), torch.tensor(labels)


class BagOfVectors(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.vectors = nn.Parameter(0.1 * torch.randn(len(VOCAB), size))
        with torch.no_grad():
            self.vectors[PAD] = 0.0
        self.classify = nn.Linear(size, 1)
        # the padding's vector has to stay zero
        self.vectors.register_hook(self.drop_padding)

    @staticmethod
    def drop_padding(grad):
        grad = grad.clone()
        grad[PAD] = 0.0
        return grad

    def forward(self, tokens):
        return self.classify(self.vectors[tokens].mean(dim=1)).squeeze(1)


def main():
    torch.manual_seed(8)
    tokens, labels = make_reviews(120)
    model = BagOfVectors()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(1, 41):
        optimizer.zero_grad()
        loss = loss_fn(model(tokens), labels)
        loss.backward()
        optimizer.step()
        if epoch % 10 == 0:
            pad = model.vectors[PAD].detach().norm().item()
            print(f"epoch {epoch:2d}  loss {loss.item():.4f}  length of the padding's vector {pad:.4f}")


main()
