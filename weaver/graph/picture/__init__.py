"""In the build: draws and tells what was noted."""
