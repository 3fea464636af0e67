"""What stands in for an arm that was not measured: the ladder of models."""
