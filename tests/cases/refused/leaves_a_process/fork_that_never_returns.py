import os
import time

if os.fork() == 0:
    time.sleep(1000)
print("the parent goes on")
