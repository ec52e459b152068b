"""What the tests of traces share."""
