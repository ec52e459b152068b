print("never"
