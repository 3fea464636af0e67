"""Reports of RMF in all their forms, and tables that other products exported."""
