"""Fetching files from the servers that have them into a campaign's folder."""
