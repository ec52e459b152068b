"""Running what pages show, isolated, and keeping the results."""
