def inner():
    raise KeyError("inner")


try:
    inner()
except KeyError as error:
    raise ValueError("outer\nin two lines") from error
