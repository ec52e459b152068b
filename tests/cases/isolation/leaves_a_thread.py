import threading
import time


def work():
    while True:
        sum(range(1000))
        time.sleep(0.001)


threading.Thread(target=work, daemon=True).start()
time.sleep(0.02)
print(threading.active_count())
