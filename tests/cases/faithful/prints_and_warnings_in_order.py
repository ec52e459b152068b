import sys
import warnings

print("first")
warnings.warn("second", stacklevel=1)
print("third", file=sys.stderr)
print("fourth")
