import subprocess
import sys

print("before")
subprocess.run([sys.executable, "-c", "print('child')"])
print("after")
