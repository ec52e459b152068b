import msgspec

msgspec.json.encode = lambda message: b"garbage"
print("done")
