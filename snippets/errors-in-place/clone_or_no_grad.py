import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():  # or: torch.inference_mode()
    c = torch.tensor([3.0, 4.0])
(w * c.clone()).sum().backward()  # instead of c.clone():
# | c raises RuntimeError with torch.inference_mode()
# | c.detach() raises RuntimeError with torch.inference_mode()
print(f"{w.grad = }")
