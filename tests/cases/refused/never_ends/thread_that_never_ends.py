import threading

threading.Thread(target=threading.Event().wait).start()
print("the main thread is done")
