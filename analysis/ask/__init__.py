"""Questions to reports: answered from what was built, without a model."""
