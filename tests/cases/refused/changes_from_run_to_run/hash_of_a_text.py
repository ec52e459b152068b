print(hash("a"))
