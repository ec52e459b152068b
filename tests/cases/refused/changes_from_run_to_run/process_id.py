import os

print(os.getpid())
