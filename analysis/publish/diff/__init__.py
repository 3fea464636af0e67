"""What is different between two builds, from facts to words."""
