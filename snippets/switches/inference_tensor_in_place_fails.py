# raises: RuntimeError
import torch

with torch.inference_mode():
    total = torch.tensor(3.0)
    total += 1
print(f"{total = }")
total += 1
