# raises: RuntimeError
import torch

w = torch.tensor(2.0, requires_grad=True)
with torch.inference_mode():
    feature = torch.tensor(3.0) * 5
print(f"{feature.is_inference() = }")
(w * feature).backward()
