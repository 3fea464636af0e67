"""From the rows of files to the runs that they belong to."""
