import torch

with torch.inference_mode():
    image = torch.tensor([1.0, 2.0])
image = image.clone().requires_grad_()
(image * image).sum().backward()
print(f"{image.grad = }")
