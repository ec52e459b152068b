"""`weaver why`: what's wrong with a training program, found in the recording of its run."""
