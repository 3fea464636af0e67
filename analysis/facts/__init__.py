"""Facts: values with origin, warnings and evidence, and how they are printed."""
