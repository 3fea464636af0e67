"""What readers of text logs share: lines, numbers, and what a log says in the end."""
