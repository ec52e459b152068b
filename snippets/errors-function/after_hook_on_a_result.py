# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
y.register_post_accumulate_grad_hook(lambda y: print(y.grad))
