import subprocess
import sys

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], cwd="/", start_new_session=True)
print("the parent goes on")
