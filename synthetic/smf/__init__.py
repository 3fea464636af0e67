"""Records and dumps of SMF, written from the documented layouts."""
