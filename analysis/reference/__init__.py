"""What may stand in the files that people write: schemas for editors, and pages."""
