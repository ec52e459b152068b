import random

print(random.Random().random())
