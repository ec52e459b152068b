import signal

print(signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGPIPE))
