"""`weaver trace`: a program of anyone's, recorded in a process of its own and shown as a page."""
