"""Campaigns of a transaction gateway: clients that think, and CPUs that they share."""
