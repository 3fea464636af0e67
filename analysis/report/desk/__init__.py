"""The server on which people read, edit and approve drafts."""
