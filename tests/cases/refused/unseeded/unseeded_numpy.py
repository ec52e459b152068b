import numpy as np

print(np.random.rand(1000).shape)
