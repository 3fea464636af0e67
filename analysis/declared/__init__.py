"""What people declare: models that check their files, and the words for mistakes."""
