"""Which campaigns there are, what they lack, how values move over them; old files."""
