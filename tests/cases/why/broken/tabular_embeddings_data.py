"""The embeddings' .grad is None after backward() and they keep their values
(after "Variable does not get gradient")."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
CARDINALITIES = [6, 4, 10]


class TabularNet(nn.Module):
    def __init__(self, cardinalities, n_cont, emb_dim=4):
        super(TabularNet, self).__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, emb_dim) for c in cardinalities])
        n_in = emb_dim * len(cardinalities) + n_cont
        self.fc0 = nn.Linear(n_in, 32)
        self.fc1 = nn.Linear(32, 1)

    def forward(self, cats, conts):
        x = [emb(cats[:, i]) for i, emb in enumerate(self.embs)]
        x = torch.cat(x, dim=1)
        x = torch.cat([x.data, conts], dim=1)  # cause: no-gradient
        x = F.relu(self.fc0(x))
        return self.fc1(x).squeeze(1)


def make_table(n):
    cats = torch.stack([torch.randint(c, (n,)) for c in CARDINALITIES], dim=1)
    conts = torch.randn(n, 3)
    target = cats[:, 0].float() - 0.5 * cats[:, 2].float() + conts[:, 0]
    return cats, conts, target


def main():
    cats, conts, target = make_table(400)
    vcats, vconts, vtarget = make_table(100)
    model = TabularNet(CARDINALITIES, 3)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(1, 9):
        model.train()
        perm, running = torch.randperm(len(target)), 0.0
        for idx in perm.split(50):
            opt.zero_grad()
            loss = F.mse_loss(model(cats[idx], conts[idx]), target[idx])
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            val = F.mse_loss(model(vcats, vconts), vtarget)
        print(f"[{epoch}] train mse {running / len(target):.4f} val mse {val.item():.4f}")


if __name__ == "__main__":
    main()
