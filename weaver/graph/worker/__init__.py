"""In the process of a program: notes what it does with tensors."""
