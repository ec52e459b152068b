def f():
    f()


try:
    f()
except RecursionError as error:
    print(type(error).__name__)
