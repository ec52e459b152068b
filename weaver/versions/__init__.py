"""What programs print with other versions of torch: running them there, keeping and checking what differs."""
