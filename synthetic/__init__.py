"""The synthetic campaign: raw files in real formats, made from declared targets."""
