"""A page that follows its texts while they are edited."""
