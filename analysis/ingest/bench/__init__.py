"""Logs of tools that measure a network: request and response, and streams."""
