"""The programs that render a document: Pandoc with Typst, or Quarto."""
