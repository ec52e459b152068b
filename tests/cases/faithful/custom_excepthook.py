import sys

sys.excepthook = lambda kind, value, trace: print("hook:", kind.__name__, value)
raise ValueError("shown by the hook")
