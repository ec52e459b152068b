with open("left_behind.txt", "w") as file:
    file.write("hello")
