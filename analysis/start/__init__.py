"""Starting an edition or a study from a campaign."""
