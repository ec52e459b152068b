# raises: RuntimeError
import torch

torch.manual_seed(0)
x = torch.ones(1, 2)
first, last = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
with torch.autocast("cpu", dtype=torch.bfloat16):
    h = first(x)
y = last(h)
