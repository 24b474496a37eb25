"""The commands, one module per group. Each function takes the parsed options and returns an exit code."""
