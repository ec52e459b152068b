import threading
import time


def late():
    threading.main_thread().join()
    print("the thread ends last")


threading.Thread(target=late).start()
threading.Thread(target=lambda: time.sleep(60), daemon=True).start()
print("the main thread ends first")
