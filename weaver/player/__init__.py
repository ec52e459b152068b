"""Shows a recorded run step by step, in a browser; never loads torch."""
