import weakref


class Dies:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone:", self.name)


kept = Dies("kept to the end")
Dies("at once")
other = Dies("in a cycle")
other.me = other
weakref.finalize(kept, print, "finalize")
print("end")
