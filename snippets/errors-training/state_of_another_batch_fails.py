# raises: RuntimeError
import torch

torch.manual_seed(0)
lstm = torch.nn.LSTM(input_size=1, hidden_size=5)
state = None
for batch_size in (4, 4, 3):
    batch = torch.ones(6, batch_size, 1)
    out, state = lstm(batch, state)
    print(f"{state[0].shape = }")
    state = tuple(part.detach() for part in state)
