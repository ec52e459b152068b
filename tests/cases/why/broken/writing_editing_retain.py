"""Every step kept its graph for nothing and memory use was high, after "retain_graph = True during backprop."."""
import torch
import torch.nn as nn

torch.manual_seed(3)
VOCAB, EMB, HID, SOS = 12, 16, 32, 0


class EncoderRNN(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.rnn = nn.GRU(EMB, HID, batch_first=True)

    def forward(self, title):
        return self.rnn(self.embedding(title))[1]


class DecoderRNN(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.rnn = nn.GRU(EMB, HID, batch_first=True)
        self.out = nn.Linear(HID, VOCAB)

    def forward(self, inputs, hidden):
        states, _ = self.rnn(self.embedding(inputs), hidden)
        return self.out(states)


class FbSeq2seq(nn.Module):
    """Writes a draft from the title, then edits it."""

    def __init__(self):
        super().__init__()
        embedding = nn.Embedding(VOCAB, EMB)
        self.encoder_title = EncoderRNN(embedding)
        self.encoder_draft = EncoderRNN(embedding)
        self.decoder = DecoderRNN(embedding)

    def forward(self, title, target, drafts=2):
        shifted = torch.cat([torch.full_like(target[:, :1], SOS), target[:, :-1]], dim=1)
        hidden = self.encoder_title(title)
        outputs = [self.decoder(shifted, hidden)]
        for _ in range(drafts - 1):
            hidden = hidden + self.encoder_draft(outputs[-1].argmax(dim=2))
            outputs.append(self.decoder(shifted, hidden))
        return outputs


def train_batch(model, title, target, criterion, optimizer):
    outputs = model(title, target)
    loss = sum(criterion(o.flatten(0, 1), target.flatten()) for o in outputs) / len(outputs)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)  # cause: retain-graph
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


model = FbSeq2seq()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for step in range(40):
    title = torch.randint(1, VOCAB, (24, 4))
    loss = train_batch(model, title, title.flip(1), criterion, optimizer)
    if step % 10 == 0:
        print("step %d, loss %.4f" % (step, loss))
