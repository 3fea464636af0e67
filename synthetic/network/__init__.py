"""Campaigns of network loads: paths between systems, queues, and what is recorded."""
