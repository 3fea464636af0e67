"""CPU evidence of Linux: intervals, snapshots, and the CPU time of commands."""
