import torch
from torch import nn
from torch.func import replace_all_batch_norm_modules_

torch.manual_seed(0)
net = nn.Sequential(nn.BatchNorm1d(2))
net(torch.randn(100, 2))
net.eval()
x = torch.randn(4, 2) + 5
print(f"{net(x).mean().item():.1f}")
replace_all_batch_norm_modules_(net)
print(f"{abs(net(x).mean().item()):.1f}, {net[0].running_mean = }")
