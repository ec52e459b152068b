"""Each chunk took longer than the one before, after "LSTM architecture has met a explosive growth in the training process"."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class VideoLSTM(nn.Module):
    def __init__(self, input_len=12, hidden_len=24, target_size=5):
        super(VideoLSTM, self).__init__()
        self.hidden_len = hidden_len
        self.lstm = nn.LSTM(input_len, hidden_len, batch_first=True)
        self.hidden2class = nn.Linear(hidden_len, target_size)
        self.hidden = None

    def init_hidden(self, batch):
        self.hidden = (torch.zeros(1, batch, self.hidden_len), torch.zeros(1, batch, self.hidden_len))

    def forward(self, x):
        lstm_out, self.hidden = self.lstm(x, self.hidden)
        self.hidden = tuple(h.detach() for h in self.hidden)
        return F.log_softmax(self.hidden2class(lstm_out[:, -1, :]), dim=1)


def train(videos, labels, model, criterion, optimizer, epoch, chunk=6):
    model.train()
    model.init_hidden(videos.size(0))
    pieces = videos.split(chunk, dim=1)
    optimizer.zero_grad()
    total = 0.0
    for clip in pieces:
        output = model(clip)
        loss = criterion(output, labels) / len(pieces)
        loss.backward()
        total += loss.item()
    optimizer.step()
    print("Epoch: [{0}]\tLoss {1:.4f}".format(epoch, total))


def main():
    torch.manual_seed(1)
    labels = torch.randint(0, 5, (10,))
    videos = torch.randn(10, 60, 12)
    videos[torch.arange(10), :, labels] += 0.8

    model = VideoLSTM()
    criterion = nn.NLLLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(6):
        train(videos, labels, model, criterion, optimizer, epoch)


if __name__ == "__main__":
    main()
