"""What computes: child programs, libraries, and the hash of the project's own code."""
