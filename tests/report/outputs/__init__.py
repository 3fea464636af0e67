"""The output formats that are no page and no PDF."""
