"""Logs of services of z/OS and of their clients: FTP, TN3270, CICS."""
