import atexit

atexit.register(print, "after the traceback")
raise RuntimeError("body")
