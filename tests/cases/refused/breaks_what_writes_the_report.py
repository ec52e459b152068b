import json

json.dump = lambda report, file: file.write("garbage")
print("done")
