"""The document of an edition: its chapters, and the folder that engines read."""
