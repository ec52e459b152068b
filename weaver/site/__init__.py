"""What lies beside the pages of a built site."""
