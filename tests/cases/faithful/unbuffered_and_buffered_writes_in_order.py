import os
import sys

print("a", end="")
os.write(1, b"b")
sys.stdout.buffer.write(b"c")
os.write(2, b"d")
sys.stderr.write("e\n")
sys.stdout.writelines(["f\n", "g\n"])
