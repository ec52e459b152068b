import time

print(f"{time.time():.0f}")
