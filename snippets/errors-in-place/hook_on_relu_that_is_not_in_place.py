import torch
from torch import nn

model = nn.Sequential(nn.ReLU(inplace=True))
model[0].register_full_backward_hook(
    lambda module, g_in, g_out: print(f"{g_in = }")
)
for module in model.modules():
    if hasattr(module, "inplace"):
        module.inplace = False

x = torch.tensor([-1.0, 2.0], requires_grad=True)
model(x * 3).sum().backward()
print(f"{x.grad = }")
