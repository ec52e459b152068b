import os
import random
import warnings

import numpy as np
import torch

torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_num_threads(2)
torch.manual_seed(7)
random.seed(7)
np.random.seed(7)
warnings.simplefilter("error")
os.environ["ISOLATION"] = "broken"
os.chdir("/")
torch.set_printoptions(precision=1)
torch.autograd.set_detect_anomaly(True)
print("all set")
