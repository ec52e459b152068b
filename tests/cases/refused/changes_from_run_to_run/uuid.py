from uuid import uuid4

name = uuid4()
print(name)
