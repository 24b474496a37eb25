"""Git repositories as values: what `core.repository`, the one door, is made of."""
