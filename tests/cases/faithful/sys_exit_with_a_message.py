import sys

print("before")
sys.exit("the message")
