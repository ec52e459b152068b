# raises: RuntimeError
import torch

w = torch.tensor(2.0)
loss = (w * 3 - 1) ** 2
loss.backward()
