print("before")
raise ValueError("nobody announced this")
