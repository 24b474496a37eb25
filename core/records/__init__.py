"""What a past left behind: records, their turns, and the adapters that read each runtime's files."""
