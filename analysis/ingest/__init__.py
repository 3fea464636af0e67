"""Raw files of a campaign, read into tables."""
