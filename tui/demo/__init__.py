"""A small made-up archive for people who have no sessions yet."""
