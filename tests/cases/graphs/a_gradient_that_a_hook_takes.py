import torch

x = torch.tensor(3.0, requires_grad=True)
x.register_post_accumulate_grad_hook(lambda x: setattr(x, "grad", None))
z = x * 2
z.backward()
