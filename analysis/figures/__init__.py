"""Facts in, figures out: SVG for paper and phone, their data, words and alt texts."""
