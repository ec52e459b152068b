# raises: GradcheckError
import torch
from torch.autograd import gradcheck

x = torch.tensor([1.0, 2.0], requires_grad=True)
gradcheck(torch.square, (x,))
