import os
import random
import threading
import warnings

import numpy as np
import torch

x = torch.tensor([1.25, 2.5], requires_grad=True)
print(x, x.dtype, torch.is_grad_enabled(), torch.get_num_threads())
print(os.environ.get("ISOLATION"), threading.active_count())
print(torch.is_anomaly_enabled(), torch.get_default_dtype())
warnings.warn("only a warning", stacklevel=1)
torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
print(torch.rand(1), random.random(), np.random.rand())
x.sum().backward()
print(x.grad, os.listdir("."))
