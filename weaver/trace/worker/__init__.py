"""Runs a program under watch, in a process of its own. Everything in here may know torch."""
