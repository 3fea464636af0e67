"""Logs of tools that measure HTTP servers and TLS."""
