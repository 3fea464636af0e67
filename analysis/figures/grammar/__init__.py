"""What all kinds of figures share: theme, scales, geoms, facets, rows and columns."""
