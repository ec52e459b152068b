print(id([]))
