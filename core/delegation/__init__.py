"""Delegation: one grounded packet for a worker who was not there, and a debrief that teaches memory (design/delegation.md)."""
