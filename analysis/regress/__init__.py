"""The verdicts of a build as the result of a test."""
