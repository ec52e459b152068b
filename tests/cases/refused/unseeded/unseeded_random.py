import random

print(random.random() < 2)
