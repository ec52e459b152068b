import torch

w = torch.tensor([2.0, -1.0, 0.0], requires_grad=True)
image = torch.tensor([1.0, 4.0, 9.0])
image.requires_grad_()
score = (w * image).sum()
print(f"{torch.autograd.grad(score, image) = }")
print(f"{w.grad = }")
