"""Publishing finished editions, and comparing two builds of one."""
