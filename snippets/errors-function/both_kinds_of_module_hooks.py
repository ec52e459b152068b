# raises: RuntimeError
from torch import nn

relu = nn.ReLU()
relu.register_full_backward_hook(lambda module, g_in, g_out: None)
relu.register_backward_hook(lambda module, g_in, g_out: None)
