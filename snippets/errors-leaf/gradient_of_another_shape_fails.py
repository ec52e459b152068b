# raises: RuntimeError
import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w.grad = torch.tensor([[1.0, 0.0, 2.0], [1.0, 4.0, 0.0]])
