import torch

torch.manual_seed(0)
batch = torch.ones(4, 7, 2)
state = torch.zeros(1, 4, 5)
try:
    torch.nn.GRU(2, 5)(batch, state)
except RuntimeError as error:
    print(error)
out, state = torch.nn.GRU(2, 5, batch_first=True)(batch, state)
print(f"{out.shape = }")
