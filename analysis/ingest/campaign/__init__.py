"""A campaign as its author describes it: proposed, written, checked."""
