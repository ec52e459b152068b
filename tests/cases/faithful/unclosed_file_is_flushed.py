import os
import tempfile

handle, path = tempfile.mkstemp()
file = open(path, "w")
file.write("kept")
print(os.path.getsize(path))


class Check:
    def __del__(self):
        pass


os.unlink(path)
