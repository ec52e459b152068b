import torch

torch.manual_seed(0)
lstm = torch.nn.LSTM(input_size=1, hidden_size=2)
state = None
for piece in torch.ones(2, 3, 1, 1):
    out, state = lstm(piece, state)
    out.sum().backward()
    state = tuple(part.detach() for part in state)
    print([part.requires_grad for part in state])
