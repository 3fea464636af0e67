"""Pages and data beside the report's text: facts, explorer, cards, what is searched."""
