"""Facts, figures and reviewed text in; a report as HTML and PDF out."""
