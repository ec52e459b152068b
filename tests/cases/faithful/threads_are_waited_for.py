import threading
import time


def late():
    time.sleep(0.05)
    print("the thread ends last")


threading.Thread(target=late).start()
threading.Thread(target=lambda: time.sleep(60), daemon=True).start()
print("the main thread ends first")
