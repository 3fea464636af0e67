"""Values that were not measured: the one place that calls the models."""
