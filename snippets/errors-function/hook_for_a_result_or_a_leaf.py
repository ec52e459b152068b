import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.register_hook(lambda g: print(f"y: {g}"))
x.register_post_accumulate_grad_hook(lambda x: print(f"x: {x.grad}"))
(y * y).backward()
