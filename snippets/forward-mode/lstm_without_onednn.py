import torch
from torch import nn
from torch.func import jvp

torch.manual_seed(0)
lstm = nn.LSTM(2, 3)
x, v = torch.randn(2, 4, 2)


def f(x):
    return lstm(x)[0]


for enabled in (True, False):
    torch.backends.mkldnn.set_flags(enabled)
    try:
        print(enabled, jvp(f, (x,), (v,))[1].shape)
    except NotImplementedError as error:
        print(enabled, str(error).split(" because")[0])
