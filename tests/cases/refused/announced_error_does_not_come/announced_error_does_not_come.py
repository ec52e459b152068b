# raises: RuntimeError
print("all is well")
