# raises: RuntimeError
print("before")
raise KeyError("another")
