import random

print(sum(random.random() for _ in range(30000)) > 0)
