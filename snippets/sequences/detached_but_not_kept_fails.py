# raises: RuntimeError
import torch

torch.manual_seed(0)
gru = torch.nn.GRU(input_size=1, hidden_size=2)
h = None
for piece in torch.ones(2, 3, 1, 1):
    out, h = gru(piece, h)
    out.sum().backward()
    h.detach()
