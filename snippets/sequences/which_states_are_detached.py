# raises: RuntimeError
import torch

torch.manual_seed(0)
lstm = torch.nn.LSTM(input_size=1, hidden_size=2)
state = None
for piece in torch.ones(2, 3, 1, 1):
    out, state = lstm(piece, state)
    out.sum().backward()
    h, c = state
    state = h.detach(), c  # or: h.detach(), c.detach() | h, c.detach() raises RuntimeError | None
    print(f"{h.sum().item() = :.3f}")
