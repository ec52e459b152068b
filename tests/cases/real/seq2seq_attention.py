import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)
MAX_LENGTH, SOS = 4, 0


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, input, hidden):
        embedded = self.embedding(input).view(1, 1, -1)
        return self.gru(embedded, hidden)

    def init_hidden(self):
        return torch.zeros(1, 1, self.hidden_size)


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attn = nn.Linear(hidden_size * 2, MAX_LENGTH)
        self.gru = nn.GRU(hidden_size * 2, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden, encoder_outputs):
        embedded = self.embedding(input).view(1, 1, -1)
        weights = F.softmax(self.attn(torch.cat((embedded[0], hidden[0]), 1)), dim=1)
        applied = torch.bmm(weights.unsqueeze(0), encoder_outputs.unsqueeze(0))
        output = torch.cat((embedded, applied), 2)
        output, hidden = self.gru(output, hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden


encoder, decoder = EncoderRNN(6, 4), AttnDecoderRNN(4, 6)
optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (encoder, decoder)]
criterion = nn.NLLLoss()
source, target = torch.tensor([1, 3, 2]), torch.tensor([4, 5, 1])
for step in range(2):
    encoder_hidden = encoder.init_hidden()
    encoder_outputs = torch.zeros(MAX_LENGTH, encoder.hidden_size)
    for ei in range(source.size(0)):
        encoder_output, encoder_hidden = encoder(source[ei], encoder_hidden)
        encoder_outputs[ei] = encoder_output[0, 0]
    decoder_input, decoder_hidden, loss = torch.tensor([[SOS]]), encoder_hidden, 0
    teacher = random.random() < 0.5
    for di in range(target.size(0)):
        decoder_output, decoder_hidden = decoder(decoder_input, decoder_hidden, encoder_outputs)
        loss += criterion(decoder_output, target[di].view(1))
        topv, topi = decoder_output.topk(1)
        decoder_input = target[di] if teacher else topi.squeeze().detach()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    print(f"{loss.item() / 3:.4f}")
