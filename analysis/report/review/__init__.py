"""Who approved what a study shows, and whether it still shows that."""
