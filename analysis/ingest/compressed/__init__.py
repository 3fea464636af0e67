"""Raw files that are packed, and how they are unpacked."""
