import os

print(os.urandom(8))
