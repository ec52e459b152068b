"""backward() needs loss=Variable(..., requires_grad=True) and the loss stays put
(after "element 0 of tensors does not require grad and does not have a grad_fn")."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable


class MaskModel(nn.Module):
    def __init__(self, n_fft=17, hidden=20):
        super().__init__()
        self.rnn = nn.LSTM(n_fft, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, n_fft)

    def forward(self, feats):
        out, _ = self.rnn(feats)
        return torch.sigmoid(self.proj(out))


class SEBrain:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def compute_feats(self, wavs):
        spec = torch.stft(wavs, 32, hop_length=16, window=torch.hann_window(32), return_complex=True)
        return torch.log1p(spec.abs()).transpose(1, 2)

    def compute_forward(self, batch):
        noisy_feats = self.compute_feats(batch["noisy"])
        return {"spec": self.model(noisy_feats) * noisy_feats}

    def compute_objectives(self, predictions, batch):
        loss = F.mse_loss(predictions["spec"], self.compute_feats(batch["clean"]))
        loss = Variable(loss.data, requires_grad=True)  # cause: no-gradient
        return loss

    def fit_batch(self, batch):
        self.optimizer.zero_grad()
        loss = self.compute_objectives(self.compute_forward(batch), batch)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def evaluate_batch(self, batch):
        return self.compute_objectives(self.compute_forward(batch), batch).item()

    def fit(self, epochs, train_set, valid_set):
        for epoch in epochs:
            self.model.train()
            train_loss = sum(self.fit_batch(b) for b in train_set) / len(train_set)
            self.model.eval()
            valid_loss = sum(self.evaluate_batch(b) for b in valid_set) / len(valid_set)
            print(f"epoch: {epoch} - train loss: {train_loss:.3e} - valid loss: {valid_loss:.3e}")


def fake_batch(size=8, samples=400):
    t = torch.arange(samples) / 50
    clean = torch.sin(6.28 * t * torch.randint(2, 9, (size, 1)))
    return {"clean": clean, "noisy": clean + 0.7 * torch.randn(size, samples)}


torch.manual_seed(2021)
brain = SEBrain(MaskModel(), lr=0.01)
brain.fit(range(1, 7), [fake_batch() for _ in range(8)], [fake_batch() for _ in range(2)])
