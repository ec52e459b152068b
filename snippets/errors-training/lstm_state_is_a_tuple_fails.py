# raises: AttributeError
import torch

torch.manual_seed(0)
lstm = torch.nn.LSTM(input_size=1, hidden_size=2)
piece = torch.ones(3, 1, 1)
out, state = lstm(piece)
state = state.detach()
