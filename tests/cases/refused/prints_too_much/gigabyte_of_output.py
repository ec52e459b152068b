line = "x" * (1 << 20)
for _ in range(1024):
    print(line)
