"""The kinds of figures, a file each: what they draw, in which words, and how."""
