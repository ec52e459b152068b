import __main__
import os
import sys

print(__name__, __main__.__file__ == __file__, os.path.basename(__file__))
print([os.path.basename(a) for a in sys.argv], sys.path[0] == os.path.dirname(__file__))
print(__doc__, __package__, __spec__, __annotations__, sys.modules["__main__"] is __main__)
print(os.listdir("."), sys.stdin.read() == "")


class Local:
    pass


print(Local.__module__, sorted(k for k in globals() if not k.startswith("__")))
