import torch
from torch.autograd import gradcheck

x = torch.tensor([1.0, 2.0], requires_grad=True)
passed = gradcheck(torch.square, (x,), raise_exception=False)
print(f"{passed = }")
