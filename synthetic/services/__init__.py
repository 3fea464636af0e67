"""Campaigns of services: file transfer, terminals, web pages, storage, primitives."""
