import subprocess
import sys

subprocess.run([sys.executable, "-c", "while True: pass"])
