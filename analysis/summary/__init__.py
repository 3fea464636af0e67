"""One run, or two beside each other, told at once, without a campaign."""
