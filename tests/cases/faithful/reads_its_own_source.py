import inspect


def f():
    return "its own source"


print(inspect.getsource(f))
