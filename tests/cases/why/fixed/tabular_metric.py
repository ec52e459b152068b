"""The loss was nothing like the error of the predictions, after "Tabular data, regression problem, MSE loss and mean_squared_error mismatch"."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def mean_squared_error(pred, targ):
    "Mean squared error between `pred` and `targ`."
    return ((pred.view(-1) - targ) ** 2).mean()


class TabularModel(nn.Module):
    "One categorical column with an embedding, and `n_cont` columns of numbers."

    def __init__(self, n_cat, emb_sz, n_cont, layers):
        super().__init__()
        self.emb = nn.Embedding(n_cat, emb_sz)
        sizes = [emb_sz + n_cont, *layers]
        hidden = [nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in zip(sizes, sizes[1:])]
        self.layers = nn.Sequential(*hidden, nn.Linear(sizes[-1], 1))

    def forward(self, cat, cont):
        return self.layers(torch.cat([self.emb(cat), cont], dim=1))


class Learner:
    def __init__(self, train_dl, valid_dl, model, loss_func):
        self.train_dl, self.valid_dl = train_dl, valid_dl
        self.model, self.loss_func = model, loss_func

    def fit(self, epochs, lr):
        opt = torch.optim.Adam(self.model.parameters(), lr)
        for epoch in range(epochs):
            self.model.train()
            for cat, cont, y in self.train_dl:
                loss = self.loss_func(self.model(cat, cont), y)
                loss.backward()
                opt.step()
                opt.zero_grad()
            print(epoch, "%.5f" % loss.item(), "%.5f" % self.validate())

    def validate(self):
        self.model.eval()
        errors = []
        with torch.no_grad():
            for cat, cont, y in self.valid_dl:
                preds = self.model(cat, cont).flatten().tolist()
                errors.extend((p - t) ** 2 for p, t in zip(preds, y.tolist()))
        return sum(errors) / len(errors)


torch.manual_seed(1486)
cats, conts = torch.randint(0, 5, (400,)), torch.randn(400, 3)
price = cats.float() - 2 + conts @ torch.tensor([1.0, -2.0, 0.5])
train_ds, valid_ds = random_split(TensorDataset(cats, conts, price), [320, 80])
learn = Learner(DataLoader(train_ds, 40, shuffle=True), DataLoader(valid_ds, 80),
                TabularModel(5, 3, 3, [32, 16]), mean_squared_error)
learn.fit(10, 1e-2)
