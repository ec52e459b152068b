import torch
from torch.autograd import gradcheck

x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
passed = gradcheck(torch.square, (x,))
print(f"{passed = }")
